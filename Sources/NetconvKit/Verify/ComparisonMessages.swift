import ModelIR

/// Error messages about activations.
extension NetconvError {
  static func otherInputs(_ found: [String], expected: [String], of path: String) -> NetconvError {
    return NetconvError(
      .usage,
      "has the inputs \(found.quotedList), but \(escaped(path)) has \(expected.quotedList); name a network "
        + "with the same inputs"
    )
  }

  static func otherInputs(
    _ inputs: [String], outputs: [String], testedBy path: String
  ) -> NetconvError {
    return NetconvError(
      .usage,
      "has the inputs \(inputs.quotedList) and the outputs \(outputs.quotedList), but the samples in \(escaped(path)) have "
        + "one input and one output")
  }
}
