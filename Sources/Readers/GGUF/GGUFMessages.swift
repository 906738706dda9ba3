import ModelIR

/// Errors of the GGUF reader.
extension NetconvError {
  static func shortGGUF(_ offset: Int) -> NetconvError {
    NetconvError(.badData, "ends inside of the GGUF header, at byte \(offset); it is truncated")
  }

  static func tooManyInGGUF(_ count: UInt64, at offset: Int) -> NetconvError {
    NetconvError(
      .badData, "claims \(count) things at byte \(offset), more than it can hold; it is damaged")
  }

  static func repeatedTensorInGGUF(_ name: String) -> NetconvError {
    NetconvError(.badData, "the tensor \(quoted(name)) is there twice")
  }

  // MARK: - Parts

  static func unnamedPartOfGGUF(_ number: Int, of count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "is part \(number) of \(count) by its metadata; call the parts NAME-00001-of-\(fiveDigits(count)).gguf and so on, "
        + "so that the others are found")
  }

  private static func fiveDigits(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }

  /// The same error with the metadata key as context.
  func inKeyOfGGUF(_ key: String) -> NetconvError {
    var error = self
    error.text = "metadata \(quoted(key)): " + text
    return error
  }
}
