import ModelIR

/// A metadata value of a GGUF file; long strings and arrays are truncated.
///
/// Source: ggml/docs/gguf.md, `gguf_metadata_value_type`.
indirect enum GGUFValue: Sendable, Equatable {
  case unsigned(UInt64, bits: Int)
  case signed(Int64, bits: Int)
  case float32(Float)
  case float64(Double)
  case truth(Bool)
  /// A string; `isWhole` is false if it was truncated.
  case text(String, isWhole: Bool)
  /// The element type, the element count and the first elements of an array.
  case array(of: String, count: Int, first: [GGUFValue])

  /// The maximum bytes kept of a string, and of a string in an array.
  private static let (keptBytes, keptBytesInArray) = (4096, 256)
  /// The maximum number of elements kept of an array.
  private static let keptValues = 6
  /// The maximum depth of nested arrays.
  private static let mostNested = 4

  /// Reads a value of the type with the given number.
  ///
  /// - Throws: `badData` if the type is unknown or the file is truncated.
  init(
    _ type: UInt32, _ cursor: inout GGUFCursor, depth: Int = 0
  ) throws(NetconvError) {
    switch type {
    case 0: self = .unsigned(UInt64(try cursor.integer(UInt8.self)), bits: 8)
    case 1: self = .signed(Int64(try cursor.integer(Int8.self)), bits: 8)
    case 2: self = .unsigned(UInt64(try cursor.integer(UInt16.self)), bits: 16)
    case 3: self = .signed(Int64(try cursor.integer(Int16.self)), bits: 16)
    case 4: self = .unsigned(UInt64(try cursor.integer(UInt32.self)), bits: 32)
    case 5: self = .signed(Int64(try cursor.integer(Int32.self)), bits: 32)
    case 6: self = .float32(Float(bitPattern: try cursor.integer()))
    case 7:
      let byte = try cursor.integer(UInt8.self)
      guard byte < 2 else { throw .wrongTruthInGGUF(byte) }
      self = .truth(byte == 1)
    case 8:
      self = try Self.text(&cursor, limit: depth == 0 ? Self.keptBytes : Self.keptBytesInArray)
    case 9: self = try Self.array(&cursor, depth)
    case 10: self = .unsigned(try cursor.integer(), bits: 64)
    case 11: self = .signed(try cursor.integer(), bits: 64)
    case 12: self = .float64(Double(bitPattern: try cursor.integer()))
    default: throw .unknownValueInGGUF(type)
    }
  }

  private static func text(
    _ cursor: inout GGUFCursor, limit: Int
  ) throws(NetconvError) -> GGUFValue {
    let count = try cursor.count(of: 1)
    let kept = try cursor.bytes(min(count, limit))
    try cursor.skip(count - kept.count)
    // A token may be part of a UTF-8 character.
    return .text(
      String(utf8: kept) ?? String(decoding: kept, as: UTF8.self).exact,
      isWhole: kept.count == count)
  }

  private static func array(
    _ cursor: inout GGUFCursor, _ depth: Int
  ) throws(NetconvError) -> GGUFValue {
    guard depth < mostNested else { throw .nestedInGGUF(mostNested) }
    let type = try cursor.integer(UInt32.self)
    guard let kind = Kind(type) else { throw .unknownValueInGGUF(type) }
    let count = try cursor.count(of: kind.leastByteCount)
    var first: [GGUFValue] = []
    for _ in 0..<min(count, keptValues) {
      first.append(try GGUFValue(type, &cursor, depth: depth + 1))
    }
    let others = count - first.count
    switch kind.fixedByteCount {
    case let size?: try cursor.skip(others * size)
    case nil where type == 8:
      for _ in 0..<others {
        let length = try cursor.count(of: 1)
        try cursor.skip(length)
      }
    case nil:
      for _ in 0..<others { _ = try GGUFValue(type, &cursor, depth: depth + 1) }
    }
    return .array(of: kind.name, count: count, first: first)
  }

  /// An element type of arrays.
  private struct Kind {
    let name: String
    /// The size of a value in bytes; `nil` if it varies.
    let fixedByteCount: Int?

    var leastByteCount: Int { fixedByteCount ?? (name == "string" ? 8 : 12) }

    init?(_ type: UInt32) {
      let all: [(String, Int?)] = [
        ("uint8", 1), ("int8", 1), ("uint16", 2), ("int16", 2), ("uint32", 4), ("int32", 4),
        ("float32", 4), ("bool", 1), ("string", nil), ("array", nil), ("uint64", 8), ("int64", 8),
        ("float64", 8),
      ]
      guard type < all.count else { return nil }
      (name, fixedByteCount) = all[Int(type)]
    }
  }
}

extension GGUFValue {
  /// The name of the type in the format.
  var typeName: String {
    switch self {
    case .unsigned(_, let bits): "uint\(bits)"
    case .signed(_, let bits): "int\(bits)"
    case .float32: "float32"
    case .float64: "float64"
    case .truth: "bool"
    case .text: "string"
    case .array(let type, let count, _): "\(type)[\(count)]"
    }
  }

  /// The value as human-readable text.
  var text: String {
    switch self {
    case .unsigned(let value, _): String(value)
    case .signed(let value, _): String(value)
    case .float32(let value): String(value)
    case .float64(let value): String(value)
    case .truth(let value): String(value)
    case .text(let text, let isWhole): isWhole ? text : text + "…"
    case .array(_, let count, let first):
      "["
        + (first.map(\.text) + (first.count < count ? ["…"] : [])).joined(separator: ", ") + "]"
    }
  }

  /// The value as an `Int`; `nil` if it is not an integer or does not fit.
  var integer: Int? {
    switch self {
    case .unsigned(let value, _): Int(exactly: value)
    case .signed(let value, _): Int(exactly: value)
    default: nil
    }
  }
}

extension NetconvError {
  fileprivate static func wrongTruthInGGUF(_ byte: UInt8) -> NetconvError {
    NetconvError(.badData, "a truth value is \(byte), expected 0 or 1")
  }

  fileprivate static func unknownValueInGGUF(_ type: UInt32) -> NetconvError {
    NetconvError(.badData, "a value is of the type \(type), expected 0 to 12")
  }

  fileprivate static func nestedInGGUF(_ limit: Int) -> NetconvError {
    NetconvError(.badData, "more than \(limit) arrays lie in each other")
  }
}
