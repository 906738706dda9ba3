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

/// A key that an object should not have, and those that it can have, as far as they are known.
package struct UnknownKey: Error {
  /// What was found.
  package let name: String
  /// What there is.
  package let known: [String]
}

extension Decoder {
  /// The members of an object; a key that it should not have is an error, which names the nearest of those that
  /// it can have and has an ``UnknownKey`` underneath.
  package func attributes<Key: CodingKey & CaseIterable>(
    _ keys: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try members(keys, known: keys.allCases.map(\.stringValue))
  }

  /// The members of an object; a key that it should not have is an error.
  package func attributes<Key: CodingKey>(_ keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try members(keys, known: [])
  }

  private func members<Key: CodingKey>(
    _ keys: Key.Type, known: [String]
  ) throws -> KeyedDecodingContainer<Key> {
    let names = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    if let unknown = names.sorted().first(where: { Key(stringValue: $0) == nil }) {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath,
          debugDescription: "unknown key \(quoted(unknown))" + didYouMean(unknown, among: known),
          underlyingError: UnknownKey(name: unknown, known: known)))
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
