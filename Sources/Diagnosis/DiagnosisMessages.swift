import ModelIR

/// The messages of this module's errors.
extension NetconvError {
  static func otherShape(_ found: [Int], expected: [Int]) -> NetconvError {
    NetconvError(
      .badData, "has shape \(Shape(found)), expected \(Shape(expected)), the batch first")
  }

  static func nothingKnown(of name: String) -> NetconvError {
    NetconvError(.badData, "\(quoted(name)), which it reads, is unknown")
  }
}
