import ModelIR

/// A protocol buffer message: a range of bytes whose fields are decoded on demand.
///
/// The value of a field is a range, so a payload of gigabytes costs no more than a single byte until it is read.
///
/// Source: protobuf.dev, "Encoding".
public struct WireMessage {
  /// The bytes that contain the message.
  public let bytes: WireBytes
  /// The range of the message.
  public let range: Range<Int>
  /// The name of the message type in errors: `GraphDef`.
  public let type: String
  private let depth: Int

  init(_ bytes: WireBytes, _ range: Range<Int>, type: String, depth: Int) {
    self.bytes = bytes
    self.range = range
    self.type = type
    self.depth = depth
  }

  /// Returns the nested message in `range`.
  func inner(_ type: String, at range: Range<Int>) throws(NetconvError) -> WireMessage {
    guard depth < WireLimits.depth else { throw .tooDeep(limit: WireLimits.depth) }
    return WireMessage(bytes, range, type: type, depth: depth + 1)
  }

  /// Calls `body` with each field, in stored order.
  ///
  /// - Throws: `badData` with the offset if the message is malformed; the error of `body`.
  public func forEachField(
    _ body: (WireField) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    var position = range.lowerBound
    while position < range.upperBound {
      try body(try field(&position))
    }
  }

  /// Returns all fields; for small messages.
  ///
  /// - Throws: `badData` if the message is malformed.
  public func fields() throws(NetconvError) -> [WireField] {
    var fields: [WireField] = []
    try forEachField { fields.append($0) }
    return fields
  }

  private func field(_ position: inout Int) throws(NetconvError) -> WireField {
    try bytes.countField()
    let start = position
    let tag = try varint(&position)
    guard tag >> 3 > 0, tag >> 3 < 1 << 29 else {
      throw .wrongFieldNumber(tag >> 3, at: start, type)
    }
    let number = Int(tag >> 3)
    let content: WireField.Content
    switch tag & 7 {
    case 0: content = .varint(try varint(&position))
    case 1: content = .fixed64(try take(8, &position))
    case 2:
      let length = try varint(&position)
      guard length <= range.upperBound - position else {
        throw .fieldTooLong(
          number, length: length, at: start, left: range.upperBound - position, type)
      }
      content = .bytes(try take(Int(length), &position))
    case 5: content = .fixed32(try take(4, &position))
    default: throw .wrongWireType(Int(tag & 7), field: number, at: start, type)
    }
    return WireField(number: number, content: content, offset: start, message: self)
  }

  private func take(_ count: Int, _ position: inout Int) throws(NetconvError) -> Range<Int> {
    guard count <= range.upperBound - position else {
      throw .cutOff(type, at: position)
    }
    defer { position += count }
    return position..<position + count
  }

  /// Reads a varint.
  func varint(_ position: inout Int) throws(NetconvError) -> UInt64 {
    let start = position
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < range.upperBound {
      let byte = try bytes.byte(at: position)
      position += 1
      // The tenth byte contributes only one bit.
      guard shift < 63 || byte <= 1 else { throw .longNumber(at: start, type) }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
      guard shift < 70 else { throw .longNumber(at: start, type) }
    }
    throw .cutOff(type, at: start)
  }
}

extension NetconvError {
  fileprivate static func cutOff(_ type: String, at offset: Int) -> NetconvError {
    NetconvError(.badData, "\(type) is cut off at byte \(offset); the file is truncated or damaged")
  }

  fileprivate static func longNumber(at offset: Int, _ type: String) -> NetconvError {
    NetconvError(.badData, "\(type): the number at byte \(offset) has more than 64 bits")
  }

  fileprivate static func wrongFieldNumber(_ number: UInt64, at offset: Int, _ type: String)
    -> NetconvError
  {
    NetconvError(
      .badData, "\(type): byte \(offset) begins a field \(number), which is invalid")
  }

  fileprivate static func wrongWireType(
    _ wireType: Int, field number: Int, at offset: Int, _ type: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(type): field \(number) at byte \(offset) has the wire type \(wireType); expected 0, 1, 2 "
        + "or 5")
  }

  fileprivate static func fieldTooLong(
    _ number: Int, length: UInt64, at offset: Int, left: Int, _ type: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(type): field \(number) at byte \(offset) has \(length) bytes, but only \(left) are left; the file is "
        + "truncated or damaged")
  }

  fileprivate static func tooDeep(limit: Int) -> NetconvError {
    NetconvError(.badData, "nests messages more than \(limit) deep")
  }
}
