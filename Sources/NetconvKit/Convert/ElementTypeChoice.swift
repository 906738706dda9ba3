import ModelIR

/// An element type for all kernels, or for those that match a pattern, as a user writes it: `float16`, or `fc*=int8`.
public struct ElementTypeChoice: Sendable, Equatable {
  /// The pattern, as in ``ElementTypeRule/pattern``; `nil` for all kernels.
  public let pattern: String?
  /// The element type of these kernels.
  public let elementType: ElementType

  /// Parses a choice; the type follows the last `=`.
  ///
  /// - Returns: `nil` if no target accepts the type.
  public init?(_ text: String) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard let last = parts.last, let type = ElementType(rawValue: String(last)),
      Self.known.contains(type)
    else { return nil }
    elementType = type
    pattern = parts.count > 1 ? parts.dropLast().joined(separator: "=") : nil
  }

  /// The element types that some target accepts; sources may contain others.
  public static var known: [ElementType] {
    ElementType.allCases.filter { type in
      Netconv.targets.contains { $0.elementTypes.contains(type) }
    }
  }
}

extension ConvertRequest {
  /// Adds choices; if several match a tensor, the last one applies.
  public mutating func setElementTypes(_ choices: [ElementTypeChoice]) {
    for choice in choices {
      if let pattern = choice.pattern {
        elementTypeRules.append(ElementTypeRule(pattern, choice.elementType))
      } else {
        elementType = choice.elementType
        // It also overrides earlier patterns.
        if !elementTypeRules.isEmpty {
          elementTypeRules.append(ElementTypeRule("*", choice.elementType))
        }
      }
    }
  }
}
