import ModelIR

/// An element type for the tensors that match a pattern.
public struct ElementTypeRule: Sendable, Equatable {
  /// The pattern, matched with the name of the layer and with the tensor's name in the manifest, such as `fc1_W`; `*`
  /// matches any characters, `?` exactly one.
  public var pattern: String
  /// The element type of the kernels that match.
  public var elementType: ElementType

  /// Creates a rule for the tensors that match `pattern`.
  public init(_ pattern: String, _ elementType: ElementType) {
    self.pattern = pattern
    self.elementType = elementType
  }

  /// True if the pattern matches all of `name`.
  package func matches(_ name: String) -> Bool {
    let (pattern, name) = (Array(pattern.unicodeScalars), Array(name.unicodeScalars))
    var (next, place) = (0, 0)
    // The state to return to on a mismatch after the last star, one character further.
    var star: (next: Int, place: Int)?
    while place < name.count {
      if next < pattern.count, pattern[next] == "*" {
        next += 1
        star = (next, place)
      } else if next < pattern.count, pattern[next] == "?" || pattern[next] == name[place] {
        next += 1
        place += 1
      } else if let last = star {
        star = (last.next, last.place + 1)
        (next, place) = (last.next, last.place + 1)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == "*" }
  }
}
