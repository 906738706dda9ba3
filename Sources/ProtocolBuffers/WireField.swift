import ModelIR

/// A field of a message: its number, and where its value is.
public struct WireField {
  /// What stands behind the number.
  public enum Content: Equatable {
    /// A number of its own.
    case varint(UInt64)
    /// Eight bytes.
    case fixed64(Range<Int>)
    /// A text, a message, packed values, or bytes.
    case bytes(Range<Int>)
    /// Four bytes.
    case fixed32(Range<Int>)
  }

  /// As the schema has it.
  public let number: Int
  /// The value, or where it is.
  public let content: Content
  /// Where the field begins.
  public let offset: Int
  let message: WireMessage

  /// Where the value of a text, a message or a payload lies.
  ///
  /// - Throws: `badData` if the field is of another kind.
  public func payload() throws(NetconvError) -> Range<Int> {
    guard case .bytes(let range) = content else { throw wrongKind("bytes") }
    return range
  }

  /// The bytes of a small payload.
  ///
  /// - Parameter limit: the most that make sense.
  /// - Throws: `badData` if the field is of another kind, or has more bytes.
  public func bytes(limit: Int = 1 << 20) throws(NetconvError) -> [UInt8] {
    let range = try payload()
    guard range.count <= limit else {
      throw .payloadTooLong(number, length: range.count, limit: limit, at: offset, message.type)
    }
    return try message.bytes.bytes(at: range)
  }

  /// A text.
  ///
  /// - Throws: `badData` if the field is of another kind, or no UTF-8.
  public func text(limit: Int = 1 << 16) throws(NetconvError) -> String {
    guard let text = String(utf8: try bytes(limit: limit)) else {
      throw .notUTF8(number, at: offset, message.type)
    }
    return text
  }

  /// The message that the field is.
  ///
  /// - Parameter type: what errors call it.
  /// - Throws: `badData` if the field is of another kind, or messages lie too deep.
  public func inner(_ type: String) throws(NetconvError) -> WireMessage {
    try message.inner(type, at: payload())
  }

  /// A number of the types int32, int64, uint32, uint64, enum or bool, as a signed one.
  ///
  /// - Throws: `badData` if the field is of another kind.
  public func integer() throws(NetconvError) -> Int {
    guard case .varint(let value) = content else { throw wrongKind("a number") }
    return Int(truncatingIfNeeded: value)
  }

  /// A truth value.
  ///
  /// - Throws: `badData` if the field is of another kind.
  public func boolean() throws(NetconvError) -> Bool { try integer() != 0 }

  /// A number of four bytes without a sign: fixed32.
  ///
  /// - Throws: `badData` if the field is of another kind.
  public func fixed32() throws(NetconvError) -> UInt32 {
    guard case .fixed32(let range) = content else { throw wrongKind("four bytes") }
    return UInt32(try unsigned(range))
  }

  /// A number of the type float.
  ///
  /// - Throws: `badData` if the field is of another kind.
  public func float() throws(NetconvError) -> Float { Float(bitPattern: try fixed32()) }

  /// A number of the type double.
  ///
  /// - Throws: `badData` if the field is of another kind.
  public func double() throws(NetconvError) -> Double {
    guard case .fixed64(let range) = content else { throw wrongKind("eight bytes") }
    return Double(bitPattern: try unsigned(range))
  }

  /// Calls `body` with each number of a repeated field of varints, which may be packed.
  ///
  /// - Throws: `badData` if the field is of another kind; else what `body` throws.
  public func forEachInteger(_ body: (Int) throws(NetconvError) -> Void) throws(NetconvError) {
    guard case .bytes(let range) = content else { return try body(integer()) }
    let packed = try message.inner(message.type, at: range)
    var position = range.lowerBound
    while position < range.upperBound {
      try body(Int(truncatingIfNeeded: try packed.varint(&position)))
    }
  }

  /// Calls `body` with each number of a list of floats, packed or not.
  ///
  /// - Throws: `badData` if the payload is no list of floats.
  public func forEachFloat(_ body: (Float) throws(NetconvError) -> Void) throws(NetconvError) {
    guard case .bytes(let range) = content else { return try body(float()) }
    guard range.count % 4 == 0 else { throw wrongKind("numbers of four bytes") }
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
      try body(Float(bitPattern: UInt32(try unsigned(start..<start + 4))))
    }
  }

  /// The error that the field is not what the schema says.
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
