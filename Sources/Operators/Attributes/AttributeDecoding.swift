import ModelIR

/// A key with any name, for listing the keys of an object.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) { nil }
}

/// An unknown key of an object, and the known keys if they are available.
package struct UnknownKey: Error {
  /// The unknown key.
  package let name: String
  /// The known keys.
  package let known: [String]
}

extension Decoder {
  /// Returns the members of an object.
  ///
  /// An unknown key is an error that names the most similar known key, with an ``UnknownKey`` as the underlying error.
  package func attributes<Key: CodingKey & CaseIterable>(
    _ keys: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try members(keys, known: keys.allCases.map(\.stringValue))
  }

  /// Returns the members of an object; an unknown key is an error.
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
  /// Decodes the value of `key`, or returns `fallback` if the key is absent.
  func value<Value: Decodable>(_ key: Key, default fallback: Value) throws -> Value {
    try decodeIfPresent(Value.self, forKey: key) ?? fallback
  }

  /// Decodes an operator from its name and its attributes.
  func operation(named name: Key, _ attributes: Key) throws -> any Operator {
    let found = try decode(String.self, forKey: name)
    guard let type = OperatorRegistry.type(named: found) else {
      throw DecodingError.dataCorruptedError(
        forKey: name, in: self, debugDescription: "unknown operator \(quoted(found))")
    }
    return try decode(type, forKey: attributes)
  }
}

extension KeyedEncodingContainer {
  /// Encodes the name and the attributes of an operator.
  mutating func encode(_ operation: any Operator, named name: Key, _ attributes: Key) throws {
    try encode(type(of: operation).name, forKey: name)
    try operation.encode(to: superEncoder(forKey: attributes))
  }
}
