import ModelIR

/// The texts of all errors that this module throws.
extension NetconvError {
  static func attributeOutOfRange(
    _ name: String, _ value: Int, _ range: ClosedRange<Int>
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(name) is \(value), expected a number from \(range.lowerBound) to \(range.upperBound)")
  }

  static func wrongRank(_ shape: Shape, expected: String) -> NetconvError {
    NetconvError(.badData, "the input has shape \(shape), expected \(expected)")
  }

  static func unknownSize(_ shape: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "the input has shape \(shape); this layer needs every size that it mixes to be known, so fix "
        + "the size of the model's input")
  }

  static func wrongState(_ shape: Shape, units: Int) -> NetconvError {
    NetconvError(
      .badData, "the state has shape \(shape), expected \(Shape([units])), as many as units")
  }

  static func wrongState(_ shape: Shape, expected: Shape) -> NetconvError {
    NetconvError(
      .badData, "the state has shape \(shape), expected \(expected), as the output of a step")
  }

  static func wrongGroups(_ groups: Int, input: Int, output: Int) -> NetconvError {
    NetconvError(
      .badData,
      "\(groups) groups do not divide \(input) input and \(output) output channels")
  }

  static func differentShapes(_ shapes: [Shape]) -> NetconvError {
    NetconvError(
      .badData,
      "the inputs have shapes " + shapes.map(\.description).joined(separator: " and ")
        + ", which do not fit together")
  }

  static func wrongGroups(_ groups: Int, channels: Int) -> NetconvError {
    NetconvError(.badData, "\(groups) groups do not divide \(channels) channels")
  }
}
