import ModelIR

/// Error messages about activations.
extension NetconvError {
  static func otherInputs(_ found: [String], expected: [String], of path: String) -> NetconvError {
    let list = { (names: [String]) in names.map { quoted($0) }.joined(separator: ", ") }
    return NetconvError(
      .usage,
      "has the inputs \(list(found)), but \(escaped(path)) has \(list(expected)); name a network "
        + "with the same inputs"
    )
  }

  static func otherInputs(
    _ inputs: [String], outputs: [String], testedBy path: String
  ) -> NetconvError {
    let list = { (names: [String]) in names.map { quoted($0) }.joined(separator: ", ") }
    return NetconvError(
      .usage,
      "has the inputs \(list(inputs)) and the outputs \(list(outputs)), but the samples in \(escaped(path)) have "
        + "one input and one output")
  }

  static func noSampleShape(_ inputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "leaves sizes of its inputs open, and no usual size fits; name data with \(.images), or "
        + "activations with \(.reference)", list: inputs.messages)
  }

  static func unknownActivations(_ names: [String], model: Model) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(names.count) \(names.count == 1 ? "array" : "arrays") without a layer of that name; the model "
        + "'\(escaped(model.name))' has the layers that netconv inspect lists",
      details: names.map { quoted($0) })
  }

  static func missingActivations(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "lacks the values of the "
        + (names.count == 1 ? "input " : "inputs ")
        + names.map { quoted($0) }.joined(separator: ", ")
        + "; save the network's inputs under that name")
  }

  static func noActivations(model: Model) -> NetconvError {
    NetconvError(
      .badData, "holds inputs, but no layer's output; save some under the layers' names")
  }

  static func wrongActivation(_ found: [Int], expected: Shape, batch: Int) -> NetconvError {
    let sizes = expected.dimensions.map { $0.map(String.init) ?? "None" }
    return NetconvError(
      .badData,
      "has shape \(Shape(found)), expected (\(([String(batch)] + sizes).joined(separator: ", ")))"
        + expected.channelsHint(for: Array(found.dropFirst())))
  }

  static func nonFiniteActivation(_ value: Float, at index: Int) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(numeral(value)) at index \(index); a reference has to be finite, so look for the layer "
        + "where that begins")
  }
}
