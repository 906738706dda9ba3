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
}
