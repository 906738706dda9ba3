/// A JSON value of any shape: the configurations of Keras have no fixed one.
enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The value of `key`, if this is an object that has it and it is not null.
  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self, let value = members[key], value != .null else {
      return nil
    }
    return value
  }

  /// The elements, if this is an array.
  var array: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The text, if this is a string.
  var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The number, if this is one.
  var double: Double? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  /// The number, if this is a whole one.
  var int: Int? {
    double.flatMap { Int(exactly: $0) }
  }

  /// The truth value, if this is one.
  var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }
}

extension JSONValue: Decodable {
  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Key.self) {
      var object: [String: JSONValue] = [:]
      for key in members.allKeys {
        object[key.stringValue] = try members.decode(JSONValue.self, forKey: key)
      }
      self = .object(object)
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else {
      self = .array(try value.decode([JSONValue].self))
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON, for messages.
  var description: String {
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
