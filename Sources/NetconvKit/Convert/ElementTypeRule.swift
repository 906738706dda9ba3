import ModelIR

/// An element type for the tensors that a pattern names.
public struct ElementTypeRule: Sendable, Equatable {
  /// `*` stands for any characters, `?` for one, everything else for itself; compared with the name of the layer
  /// and with the tensor's name in the manifest, `fc1_W`.
  public var pattern: String
  /// How kernels are written that it names.
  public var elementType: ElementType

  /// A rule for the tensors that `pattern` names.
  public init(_ pattern: String, _ elementType: ElementType) {
    self.pattern = pattern
    self.elementType = elementType
  }

  /// Whether the pattern stands for all of `name`.
  package func matches(_ name: String) -> Bool {
    let (pattern, name) = (Array(pattern.unicodeScalars), Array(name.unicodeScalars))
    var (next, place) = (0, 0)
    // Where to go on if what follows the last star does not fit: one character further.
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
