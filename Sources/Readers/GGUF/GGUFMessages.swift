import ModelIR

/// The wording of every error of the reader of GGUF.
extension NetconvError {
  static func shortGGUF(_ offset: Int) -> NetconvError {
    NetconvError(.badData, "ends inside of the GGUF header, at byte \(offset); it is truncated")
  }

  static func otherVersionOfGGUF(_ version: UInt32) -> NetconvError {
    NetconvError(
      .badData,
      "is a GGUF file of version \(version), expected 2 or 3; convert the model again with a current llama.cpp"
    )
  }

  static func tooManyInGGUF(_ count: UInt64, at offset: Int) -> NetconvError {
    NetconvError(
      .badData, "claims \(count) things at byte \(offset), more than it can hold; it is damaged")
  }

  static func wrongNameInGGUF(at offset: Int) -> NetconvError {
    NetconvError(.badData, "the name at byte \(offset) is no text in UTF-8, or too long")
  }

  static func wrongTruthInGGUF(_ byte: UInt8) -> NetconvError {
    NetconvError(.badData, "a truth value is \(byte), expected 0 or 1")
  }

  static func unknownValueInGGUF(_ type: UInt32) -> NetconvError {
    NetconvError(.badData, "a value is of the type \(type), expected 0 to 12")
  }

  static func nestedInGGUF(_ limit: Int) -> NetconvError {
    NetconvError(.badData, "more than \(limit) arrays lie in each other")
  }

  static func repeatedKeyInGGUF(_ key: String) -> NetconvError {
    NetconvError(.badData, "the metadata has the key \(quoted(key)) twice")
  }

  static func wrongAlignmentOfGGUF(_ found: String) -> NetconvError {
    NetconvError(
      .badData,
      "'general.alignment' is \(quoted(found)), expected a power of 2 as an unsigned integer of 32 bits"
    )
  }

  static func manyAxesInGGUF(_ count: UInt32, limit: Int) -> NetconvError {
    NetconvError(.badData, "has \(count) axes, expected at most \(limit)")
  }

  static func largeAxisInGGUF(_ size: UInt64) -> NetconvError {
    NetconvError(.badData, "has an axis of \(size)")
  }

  static func unknownTypeInGGUF(_ type: UInt32) -> NetconvError {
    NetconvError(
      .badData,
      "is of the type \(type) of GGML, which this netconv does not know, so that nothing tells its size"
    )
  }

  static func partOfBlock(_ row: Int, _ type: GGUFType) -> NetconvError {
    NetconvError(
      .badData,
      "has rows of \(row) values, expected a multiple of \(type.valueCount) (\(type.name))")
  }

  static func repeatedTensorInGGUF(_ name: String) -> NetconvError {
    NetconvError(.badData, "the tensor \(quoted(name)) is there twice")
  }

  static func unalignedInGGUF(_ offset: UInt64, _ alignment: Int) -> NetconvError {
    NetconvError(
      .badData, "begins at byte \(offset) of the values, expected a multiple of \(alignment)")
  }

  static func outsideOfGGUF(_ offset: UInt64, _ count: Int, dataSize: Int) -> NetconvError {
    NetconvError(
      .badData,
      "takes \(count) bytes from byte \(offset) of the values, of which there are \(dataSize); the file is truncated or "
        + "damaged")
  }

  static func overlapInGGUF(_ offset: Int) -> NetconvError {
    NetconvError(.badData, "begins at byte \(offset) of the file, inside of another tensor")
  }

  static let emptyGGUF = NetconvError(
    .badData,
    "holds no tensors, as files with a vocabulary alone; netconv inspect shows its metadata")

  static func bigEndianGGUF(_ tensors: [(name: String, kind: String)]) -> NetconvError {
    NetconvError(
      .badData,
      "stores the most significant byte first, and holds blocks for which nobody has defined what that means",
      details: tensors.map { "\(quoted($0.name)) (\($0.kind))" })
  }

  // MARK: - Parts

  static func unnamedPartOfGGUF(_ number: Int, of count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "is part \(number) of \(count) by its metadata; call the parts NAME-00001-of-\(fiveDigits(count)).gguf and so on, "
        + "so that the others are found")
  }

  static let missingPartOfGGUF = NetconvError(
    .cannotOpen, "is missing, a part of the network; copy all parts to one folder")

  static func wrongPartOfGGUF(_ found: String, expected: String) -> NetconvError {
    NetconvError(
      .badData, "is \(found) by its metadata, expected \(expected); the parts are of two networks")
  }

  static func otherTensorCountOfGGUF(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(
      .badData, "the parts have \(found) tensors, expected \(expected) by the first one's metadata")
  }

  private static func fiveDigits(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }

  /// The same error, in the value of a key.
  func inKeyOfGGUF(_ key: String) -> NetconvError {
    var error = self
    error.text = "metadata \(quoted(key)): " + text
    return error
  }
}
