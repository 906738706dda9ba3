import FoundationEssentials
import ModelIR
import Operators

/// Decoding of operators from individual attributes written by hand.
package enum OperatorAttributes {
  /// An error in one of the attributes, or in their combination.
  package struct Mistake: Error {
    /// The attribute; `nil` if one is missing.
    package let attribute: String?
    /// The description of the error, including the attribute's name.
    package let message: String
  }

  /// Returns the names of an operator's attributes.
  package static func names(of type: any Operator.Type) -> [String] {
    do {
      _ = try JSONDecoder().decode(type, from: Data(#"{"": null}"#.utf8))
    } catch DecodingError.dataCorrupted(let context) {
      return (context.underlyingError as? UnknownKey)?.known ?? []
    } catch {
    }
    return []
  }

  /// Returns the operator with these attributes; a single value is accepted in place of a list.
  package static func operation(
    _ type: any Operator.Type, _ attributes: [String: JSONValue]
  ) throws(Mistake) -> any Operator {
    var attributes = attributes
    while true {
      do {
        let bytes = try JSONEncoder().encode(JSONValue.object(attributes))
        return try JSONDecoder().decode(type, from: bytes)
      } catch DecodingError.typeMismatch(let expected, let context) {
        guard context.codingPath.count == 1, let name = context.codingPath.first?.stringValue,
          let value = attributes[name], value.array == nil, isList(expected)
        else { throw mistake(.typeMismatch(expected, context)) }
        attributes[name] = .array([value])
      } catch let error as DecodingError {
        throw mistake(error)
      } catch {
        throw Mistake(attribute: nil, message: "\(error)")
      }
    }
  }

  private static func isList(_ type: Any.Type) -> Bool {
    type is [Any].Type || "\(type)".hasPrefix("Array")
  }

  private static func mistake(_ error: DecodingError) -> Mistake {
    let path =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        context.codingPath
      default: [any CodingKey]()
      }
    return Mistake(
      attribute: path.first?.stringValue, message: NetconvError.invalidDocument(error).message)
  }
}

extension JSONValue: Encodable {
  /// Encodes the value; integers without a fraction.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let number):
      if let whole = Int(exactly: number) {
        try container.encode(whole)
      } else {
        try container.encode(number)
      }
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}
