/// An ICC colour profile; ICC.1:2022.
enum ColorProfile {
  /// The description in a profile; `nil` if it is not within the given bytes.
  static func name(_ profile: [UInt8]) -> String? {
    guard let count = number(profile, at: 128) else { return nil }
    for tag in 0..<min(count, 100) {
      let entry = 132 + 12 * tag
      guard let signature = number(profile, at: entry), let offset = number(profile, at: entry + 4)
      else { return nil }
      if signature == 0x6465_7363 { return description(profile, at: offset) }
    }
    return nil
  }

  private static func description(_ profile: [UInt8], at offset: Int) -> String? {
    switch number(profile, at: offset) {
    case 0x6465_7363:
      // Version 2: a length including the terminating 0, and ASCII text.
      guard let length = number(profile, at: offset + 8) else { return nil }
      return text(profile, at: offset + 12, length: max(0, length - 1)) {
        String(decoding: $0, as: UTF8.self)
      }
    case 0x6D6C_7563:
      // Version 4: one record per language, with the offset of UTF-16 text; the first record is
      // used.
      guard let length = number(profile, at: offset + 20),
        let place = number(profile, at: offset + 24)
      else { return nil }
      return text(profile, at: offset + place, length: length) { bytes in
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
          UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
      }
    default: return nil
    }
  }

  private static func text(
    _ profile: [UInt8], at offset: Int, length: Int, _ decode: (ArraySlice<UInt8>) -> String
  ) -> String? {
    guard offset <= profile.count, length > 0, length <= profile.count - offset else { return nil }
    return decode(profile[offset..<offset + length])
  }

  /// A 32-bit number.
  private static func number(_ profile: [UInt8], at offset: Int) -> Int? {
    guard offset <= profile.count - 4 else { return nil }
    return profile[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
