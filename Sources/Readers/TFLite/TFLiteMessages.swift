import ModelIR

// Errors of the TensorFlow Lite reader.

extension NetconvError {
  static func noSuchTFLitePart(_ part: String, _ index: Int) -> NetconvError {
    NetconvError(.badData, "refers to the \(part) \(index), which the file does not have")
  }
}

extension NetconvError {
  static func computesWithIntegers(_ type: String, isHybrid: Bool) -> NetconvError {
    NetconvError(
      .badData,
      isHybrid
        ? "weights of \(type) are multiplied by activations that the interpreter rounds to integers, which is not read"
        : "computes with integers of \(type) and their scales, which is not read")
  }
}
