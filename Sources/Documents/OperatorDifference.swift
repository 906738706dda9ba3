import ModelIR

/// An attribute that differs between two operators of the same type.
package struct OperatorDifference: Sendable, Equatable {
  /// The attribute's name in documents.
  package let name: String
  /// The value in the first operator, as JSON; `nil` if it is absent.
  package let first: String?
  /// The value in the second operator, as JSON; `nil` if it is absent.
  package let second: String?
}

extension Operator {
  /// Returns the attributes that differ between this operator and another of the same type, sorted by name.
  ///
  /// A difference that documents cannot represent, such as a closure, is reported as `attributes`.
  package func differences(to other: any Operator) -> [OperatorDifference] {
    let (ours, theirs) = (attributes, other.attributes)
    return Set(ours.keys).union(theirs.keys).sorted().compactMap { name in
      ours[name] == theirs[name]
        ? nil
        : OperatorDifference(
          name: name, first: ours[name]?.description, second: theirs[name]?.description)
    }
  }

  /// The attributes as in documents.
  private var attributes: [String: JSONValue] {
    guard let bytes = try? JSONDocument.encode(self),
      case .object(let attributes)? = try? JSONDocument.parse(bytes)
    else { return ["attributes": .string(String(describing: self))] }
    return attributes
  }
}
