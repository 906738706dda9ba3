/// A JSON value without a fixed schema, as in the configurations of Keras.
public enum JSONValue: Sendable, Equatable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, including `NaN`, `Infinity` and `-Infinity`, which Python writes.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object: members by name.
  case object([String: JSONValue])

  /// The value of `key`, if this is an object that has it and it is not null.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self, let value = members[key], value != .null else {
      return nil
    }
    return value
  }

  /// The elements, if this is an array.
  public var array: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The text, if this is a string.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The number, if this is a number.
  public var double: Double? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  /// The number, if this is an integer.
  public var int: Int? {
    double.flatMap { Int(exactly: $0) }
  }

  /// True if all numbers in the value are finite, as JSON requires.
  var isFinite: Bool {
    switch self {
    case .number(let number): number.isFinite
    case .array(let elements): elements.allSatisfy(\.isFinite)
    case .object(let members): members.values.allSatisfy(\.isFinite)
    case .null, .bool, .string: true
    }
  }

  /// The truth value, if this is a Boolean.
  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON, for messages.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
    case .string(let text): "\"\(text)\""
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.sorted { $0.key < $1.key }.map { "\"\($0)\": \($1)" }.joined(separator: ", ")
        + "}"
    }
  }
}
