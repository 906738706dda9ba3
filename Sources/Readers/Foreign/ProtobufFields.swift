/// The fields at the start of a protocol buffer, parsed from a prefix of the file.
///
/// Source: protobuf.dev, "Encoding".
struct ProtobufFields {
  /// A field with a number, or with bytes that are a string or a message.
  struct Field {
    /// The field number in the schema.
    let number: Int
    /// The value of a numeric field.
    let value: Int?
    /// The payload of a field of bytes, as far as it is available.
    let payload: ArraySlice<UInt8>?
    /// True if the payload is complete.
    let isWhole: Bool

    /// The payload as a string; `nil` if it is incomplete or not printable.
    var text: String? {
      guard let payload, isWhole, let text = String(validating: payload, as: UTF8.self) else {
        return nil
      }
      return text.unicodeScalars.allSatisfy { $0.value >= 0x20 || [9, 10, 13].contains($0.value) }
        ? text : nil
    }

    /// The payload as a message, or as the start of one.
    var message: ProtobufFields? { payload.flatMap { ProtobufFields(Array($0)) } }
  }

  /// The fields in file order; the last may be truncated.
  let fields: [Field]

  /// Parses `bytes`; `nil` if they cannot be the start of a protocol buffer.
  init?(_ bytes: [UInt8]) {
    var fields: [Field] = []
    var position = 0
    while position < bytes.count {
      guard let tag = Self.varint(bytes, &position) else { break }
      let number = tag >> 3
      guard (1..<1 << 29).contains(number) else { return nil }
      switch tag & 7 {
      case 0:
        guard let value = Self.varint(bytes, &position) else { break }
        fields.append(Field(number: number, value: value, payload: nil, isWhole: true))
        continue
      case 2:
        guard let length = Self.varint(bytes, &position) else { break }
        guard (0..<1 << 40).contains(length) else { return nil }
        let end = min(bytes.count, position + length)
        fields.append(
          Field(
            number: number, value: nil, payload: bytes[position..<end],
            isWhole: end == position + length))
        position += length
        continue
      case 1: position += 8
      case 5: position += 4
      default: return nil
      }
      guard tag & 7 == 1 || tag & 7 == 5 else { break }
      fields.append(Field(number: number, value: nil, payload: nil, isWhole: true))
    }
    guard !fields.isEmpty else { return nil }
    self.fields = fields
  }

  /// Parses a varint; `nil` if it is truncated or too long.
  private static func varint(_ bytes: [UInt8], _ position: inout Int) -> Int? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return Int(truncatingIfNeeded: value) }
    }
    return nil
  }
}
