import ArgumentParser
import ModelIR
import NetconvKit

/// A value of `--dtype`: a type for all kernels, or for those that a pattern names.
struct ElementTypeOption: ExpressibleByArgument {
  /// `nil` for all.
  let pattern: String?
  let elementType: ElementType

  /// Reads `float16` or `fc*=int8`; what stands behind the last `=` is the type.
  init?(argument: String) {
    let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard let last = parts.last, let type = ElementType(rawValue: String(last)),
      Self.known.contains(type)
    else { return nil }
    elementType = type
    pattern = parts.count > 1 ? parts.dropLast().joined(separator: "=") : nil
  }

  /// The types that some target takes; sources may hold others.
  private static var known: [ElementType] {
    ElementType.allCases.filter { type in
      Netconv.targets.contains { $0.elementTypes.contains(type) }
    }
  }

  static var allValueStrings: [String] { known.map(\.rawValue) }
}

extension ConvertRequest {
  /// Takes over the types of the command line, of which the last that fits a tensor counts.
  mutating func setElementTypes(_ options: [ElementTypeOption]) {
    for option in options {
      if let pattern = option.pattern {
        elementTypeRules.append(ElementTypeRule(pattern, option.elementType))
      } else {
        elementType = option.elementType
        // It also counts for what was named before.
        if !elementTypeRules.isEmpty {
          elementTypeRules.append(ElementTypeRule("*", option.elementType))
        }
      }
    }
  }
}
