import Documents
import FoundationEssentials
import ModelIR

/// Arbitrary JSON.
enum JSONTarget: FuzzTarget {
  static let name = "json"

  static func parse(_ bytes: [UInt8]) throws {
    let strict = try? JSONDocument.parse(bytes, refusesRepeatedKeys: true)
    try compare(strict, withFoundation: bytes)
    let value = try JSONDocument.parse(bytes)
    try hold(
      strict == nil || strict.map { same($0, value) } == true,
      "another value where repeated keys are refused")
    guard isFinite(value) else { return }
    let again = try mustWork("reading what was written") { () throws(NetconvError) in
      try JSONDocument.parse(JSONDocument.encode(value))
    }
    try hold(same(again, value), "what is written is read as another value")
  }

  /// Compares the value with the result of Foundation's parser, another implementation of RFC 8259.
  ///
  /// Foundation accepts a trailing comma, and rejects `0e3` and half a surrogate pair.
  private static func compare(_ value: JSONValue?, withFoundation bytes: [UInt8]) throws {
    // RFC 8259 does not define which of two members with the same name counts.
    guard let value, let found = try? JSONDecoder().decode(Generic.self, from: Data(bytes)) else {
      return
    }
    try hold(same(value, found.value), "Foundation reads another value")
  }

  private static func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left == right || left.isNaN && right.isNaN
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { same($0, $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { key, value in right[key].map { same($0, value) } ?? false }
    default: left == right
    }
  }

  private static func isFinite(_ value: JSONValue) -> Bool {
    switch value {
    case .number(let number): number.isFinite
    case .array(let elements): elements.allSatisfy(isFinite)
    case .object(let members): members.values.allSatisfy(isFinite)
    default: true
    }
  }
}

/// Arbitrary JSON for Foundation's decoder.
private struct Generic: Decodable {
  let value: JSONValue

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Name.self) {
      var members: [String: JSONValue] = [:]
      for name in object.allKeys {
        members[name.stringValue] = try object.decode(Generic.self, forKey: name).value
      }
      value = .object(members)
    } else if var list = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !list.isAtEnd { elements.append(try list.decode(Generic.self).value) }
      value = .array(elements)
    } else {
      value = try Self.single(decoder.singleValueContainer())
    }
  }

  private static func single(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
    if container.decodeNil() { return .null }
    if let flag = try? container.decode(Bool.self) { return .bool(flag) }
    if let text = try? container.decode(String.self) { return .string(text) }
    return .number(try container.decode(Double.self))
  }
}
