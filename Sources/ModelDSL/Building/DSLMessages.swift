import ModelIR

/// The texts of all errors that this module throws.
extension NetconvError {
  /// Returns the error with the input shapes of the layer, unless the message contains them.
  func reading(_ shapes: [Shape]) -> NetconvError {
    let text = shapes.map(\.description).joined(separator: " and ")
    guard !shapes.isEmpty, !shapes.allSatisfy({ message.contains($0.description) }) else {
      return self
    }
    var error = self
    error.text = "\(error.text); it reads \(text)"
    return error
  }

  static func needsName(_ kind: String, _ roles: [ParameterRole]) -> NetconvError {
    NetconvError(
      .badData,
      "the layer has parameters (\(roles.map(\.rawValue).joined(separator: ", "))) but no "
        + "name; give it a name to load them by")
  }

  static var differentAttributes: NetconvError {
    NetconvError(
      .badData,
      "is used again with other attributes; a layer under the same name shares its parameters, so give "
        + "this one another name")
  }

  static func differentParameters(
    _ role: ParameterRole, _ found: [Int], owner: [Int]
  ) -> NetconvError {
    NetconvError(
      .badData,
      "is used again for an input whose \(role) would have shape \(found), not \(owner); only inputs of "
        + "the same depth can share parameters")
  }

  static func unreachedNode(reading shapes: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "reads \(shapes.joined(separator: " and ")) and reaches no output; make it an output or leave it "
        + "out")
  }

  static func unusedInput(_ name: String, _ shape: Shape) -> NetconvError {
    NetconvError(
      .badData, "the input \(quoted(name)) of shape \(shape) reaches no output; leave it out")
  }

  static func unlistedInput(_ name: String, _ shape: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "an output depends on the input \(quoted(name)) of shape \(shape), which is not among the "
        + "model's inputs")
  }

  static func repeatedInput(_ name: String) -> NetconvError {
    NetconvError(.badData, "the input \(quoted(name)) is named twice among the model's inputs")
  }

  static func inputAsOutput(_ name: String, _ shape: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "the output is the input \(quoted(name)) of shape \(shape) itself; nothing is computed"
    )
  }

  static func repeatedOutput(_ name: String) -> NetconvError {
    NetconvError(.badData, "is named twice among the model's outputs").inLayer(name)
  }

  static func wrongCount(_ found: Int, expected spec: ParameterSpec) -> NetconvError {
    NetconvError(
      .badData,
      "there are \(found) values, expected \((try? spec.count()) ?? 0): "
        + "\((try? spec.layout.shape(spec.sizes)) ?? []) (\(spec.layout))")
  }
}
