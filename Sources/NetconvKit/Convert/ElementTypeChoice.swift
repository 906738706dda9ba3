import ModelIR

/// A type for all kernels, or for those that a pattern names, as a user writes it: `float16`, or `fc*=int8`.
public struct ElementTypeChoice: Sendable, Equatable {
  /// As in ``ElementTypeRule/pattern``; `nil` for all kernels.
  public let pattern: String?
  /// How these kernels are written.
  public let elementType: ElementType

  /// Reads a choice; what stands behind the last `=` is the type.
  ///
  /// - Returns: `nil` if that is no type which some target takes.
  public init?(_ text: String) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard let last = parts.last, let type = ElementType(rawValue: String(last)),
      Self.known.contains(type)
    else { return nil }
    elementType = type
    pattern = parts.count > 1 ? parts.dropLast().joined(separator: "=") : nil
  }

  /// The types that some target takes; sources may hold others.
  public static var known: [ElementType] {
    ElementType.allCases.filter { type in
      Netconv.targets.contains { $0.elementTypes.contains(type) }
    }
  }
}

extension ConvertRequest {
  /// Takes over choices, of which the last that fits a tensor counts.
  public mutating func setElementTypes(_ choices: [ElementTypeChoice]) {
    for choice in choices {
      if let pattern = choice.pattern {
        elementTypeRules.append(ElementTypeRule(pattern, choice.elementType))
      } else {
        elementType = choice.elementType
        // It also counts for what was named before.
        if !elementTypeRules.isEmpty {
          elementTypeRules.append(ElementTypeRule("*", choice.elementType))
        }
      }
    }
  }
}
