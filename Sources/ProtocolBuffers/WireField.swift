import ModelIR

/// A field of a message: its number, and its value or the location of the value.
public struct WireField {
  /// The contents of a field, by wire type.
  public enum Content: Equatable {
    /// A varint.
    case varint(UInt64)
    /// The range of an 8-byte value.
    case fixed64(Range<Int>)
    /// The range of a string, a message, packed values, or bytes.
    case bytes(Range<Int>)
    /// The range of a 4-byte value.
    case fixed32(Range<Int>)
  }

  /// The field number in the schema.
  public let number: Int
  /// The contents of the field.
  public let content: Content
  /// The offset of the field.
  public let offset: Int
  let message: WireMessage

  /// Returns the range of a length-delimited value: a string, message or payload.
  ///
  /// - Throws: `badData` if the field has another wire type.
  public func payload() throws(NetconvError) -> Range<Int> {
    guard case .bytes(let range) = content else { throw wrongKind("bytes") }
    return range
  }

  /// Returns the bytes of a small payload.
  ///
  /// - Parameter limit: The maximum number of bytes.
  /// - Throws: `badData` if the field has another wire type, or exceeds the limit.
  public func bytes(limit: Int = 1 << 20) throws(NetconvError) -> [UInt8] {
    let range = try payload()
    guard range.count <= limit else {
      throw .payloadTooLong(number, length: range.count, limit: limit, at: offset, message.type)
    }
    return try message.bytes.bytes(at: range)
  }

  /// Returns a string.
  ///
  /// - Throws: `badData` if the field has another wire type, or is not UTF-8.
  public func text(limit: Int = 1 << 16) throws(NetconvError) -> String {
    guard let text = String(utf8: try bytes(limit: limit)) else {
      throw .notUTF8(number, at: offset, message.type)
    }
    return text
  }

  /// Returns the message in the field.
  ///
  /// - Parameter type: The name of the message type in errors.
  /// - Throws: `badData` if the field has another wire type, or messages are nested too deeply.
  public func inner(_ type: String) throws(NetconvError) -> WireMessage {
    try message.inner(type, at: payload())
  }

  /// Returns a number of type int32, int64, uint32, uint64, enum or bool as a signed integer.
  ///
  /// - Throws: `badData` if the field has another wire type.
  public func integer() throws(NetconvError) -> Int {
    guard case .varint(let value) = content else { throw wrongKind("a number") }
    return Int(truncatingIfNeeded: value)
  }

  /// Returns a Boolean.
  ///
  /// - Throws: `badData` if the field has another wire type.
  public func boolean() throws(NetconvError) -> Bool { try integer() != 0 }

  /// Returns a number of type fixed32.
  ///
  /// - Throws: `badData` if the field has another wire type.
  public func fixed32() throws(NetconvError) -> UInt32 {
    guard case .fixed32(let range) = content else { throw wrongKind("four bytes") }
    return UInt32(try unsigned(range))
  }

  /// Returns a number of type float.
  ///
  /// - Throws: `badData` if the field has another wire type.
  public func float() throws(NetconvError) -> Float { Float(bitPattern: try fixed32()) }

  /// Returns a number of type double.
  ///
  /// - Throws: `badData` if the field has another wire type.
  public func double() throws(NetconvError) -> Double {
    guard case .fixed64(let range) = content else { throw wrongKind("eight bytes") }
    return Double(bitPattern: try unsigned(range))
  }

  /// Calls `body` with each number of a repeated varint field, packed or not.
  ///
  /// - Throws: `badData` if the field has another wire type; the error of `body`.
  public func forEachInteger(_ body: (Int) throws(NetconvError) -> Void) throws(NetconvError) {
    guard case .bytes(let range) = content else { return try body(integer()) }
    let packed = try message.inner(message.type, at: range)
    var position = range.lowerBound
    while position < range.upperBound {
      try body(Int(truncatingIfNeeded: try packed.varint(&position)))
    }
  }

  /// Calls `body` with each number of a repeated float field, packed or not.
  ///
  /// - Throws: `badData` if the payload is not a list of floats; the error of `body`.
  public func forEachFloat(_ body: (Float) throws(NetconvError) -> Void) throws(NetconvError) {
    guard case .bytes(let range) = content else { return try body(float()) }
    guard range.count % 4 == 0 else { throw wrongKind("numbers of four bytes") }
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
      try body(Float(bitPattern: UInt32(try unsigned(start..<start + 4))))
    }
  }

  /// Creates the error for a field with another wire type than in the schema.
  private func wrongKind(_ expected: String) -> NetconvError {
    .wrongKind(number, expected: expected, at: offset, message.type)
  }

  private func unsigned(_ range: Range<Int>) throws(NetconvError) -> UInt64 {
    var value: UInt64 = 0
    for (index, offset) in range.enumerated() {
      value |= UInt64(try message.bytes.byte(at: offset)) << (8 * UInt64(index))
    }
    return value
  }
}

extension NetconvError {
  fileprivate static func payloadTooLong(
    _ number: Int, length: Int, limit: Int, at offset: Int, _ type: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(type): field \(number) at byte \(offset) has \(length) bytes, expected at most \(limit)")
  }

  fileprivate static func notUTF8(_ number: Int, at offset: Int, _ type: String) -> NetconvError {
    NetconvError(.badData, "\(type): field \(number) at byte \(offset) is not text in UTF-8")
  }

  fileprivate static func wrongKind(
    _ number: Int, expected: String, at offset: Int, _ type: String
  ) -> NetconvError {
    NetconvError(.badData, "\(type): field \(number) at byte \(offset) is not \(expected)")
  }
}
