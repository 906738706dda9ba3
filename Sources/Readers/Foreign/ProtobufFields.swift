/// The fields of a protocol buffer, as far as the beginning of one shows them.
///
/// Source: protobuf.dev, "Encoding".
struct ProtobufFields {
  /// A number, or bytes that are a text or a message.
  struct Field {
    /// As the schema has it.
    let number: Int
    /// Of a field that is a number.
    let value: Int?
    /// Of a field that is bytes, as many as are there.
    let payload: ArraySlice<UInt8>?
    /// Whether all of them are there.
    let isWhole: Bool

    /// The text that the bytes are; `nil` if they are none that is printed.
    var text: String? {
      guard let payload, isWhole, let text = String(validating: payload, as: UTF8.self) else {
        return nil
      }
      return text.unicodeScalars.allSatisfy { $0.value >= 0x20 || [9, 10, 13].contains($0.value) }
        ? text : nil
    }

    /// The message that the bytes are, or begin with.
    var message: ProtobufFields? { payload.flatMap { ProtobufFields(Array($0)) } }
  }

  /// In the order of the bytes; the last can be cut off.
  let fields: [Field]

  /// Reads `bytes`; `nil` if no protocol buffer begins like them.
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

  /// A number in groups of seven bits; `nil` if it is cut off or too long.
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
