import ModelIR

/// A key of any name, to see which keys are there.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) { nil }
}

extension Decoder {
  /// The members of an object; a key that it should not have is an error.
  package func attributes<Key: CodingKey>(_ keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let names = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    if let unknown = names.sorted().first(where: { Key(stringValue: $0) == nil }) {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "unknown key \(quoted(unknown))"))
    }
    return try container(keyedBy: keys)
  }
}

extension KeyedDecodingContainer {
  /// The value of `key`, or `fallback` where the document leaves it out.
  func value<Value: Decodable>(_ key: Key, default fallback: Value) throws -> Value {
    try decodeIfPresent(Value.self, forKey: key) ?? fallback
  }
}
