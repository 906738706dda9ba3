import ModelIR

/// An attribute in which two operators of one type differ.
package struct OperatorDifference: Sendable, Equatable {
  /// The attribute, as documents call it.
  package let name: String
  /// Its value in the first, as JSON; `nil` if the first does not have it.
  package let first: String?
  /// Its value in the second, as JSON; `nil` if the second does not have it.
  package let second: String?
}

extension Operator {
  /// The attributes in which an operator of the same type differs from this one, by name.
  ///
  /// What no document can hold, such as a closure, differs under the name `attributes`.
  package func differences(to other: any Operator) -> [OperatorDifference] {
    let (ours, theirs) = (attributes, other.attributes)
    return Set(ours.keys).union(theirs.keys).sorted().compactMap { name in
      ours[name] == theirs[name]
        ? nil
        : OperatorDifference(
          name: name, first: ours[name]?.description, second: theirs[name]?.description)
    }
  }

  /// The attributes as documents hold them.
  private var attributes: [String: JSONValue] {
    guard let bytes = try? JSONDocument.encode(self),
      case .object(let attributes)? = try? JSONDocument.parse(bytes)
    else { return ["attributes": .string(String(describing: self))] }
    return attributes
  }
}
