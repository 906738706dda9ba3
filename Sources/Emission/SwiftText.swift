import ModelIR

/// Texts of Swift's source.
package enum SwiftText {
  /// A literal of `text`.
  package static func literal(_ text: String) -> String {
    var literal = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": literal += "\\\(scalar)"
      case _ where isInvisible(scalar):
        literal += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return "\"\(literal)\""
  }

  /// Whether a reader would not see it: controls, marks that turn the direction of the text, separators of lines, and
  /// what is no character yet.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      true
    default: false
    }
  }

  /// A constant's name for each of `names`, in order; no two are equal, and none is a word of Swift or one of `taken`.
  package static func identifiers(
    _ names: [String], besides taken: Set<String> = []
  ) -> [String] {
    var identifiers = SwiftIdentifiers(besides: taken)
    return names.map { identifiers.next($0) }
  }

  /// `max_pool` as `maxPool`.
  static func camelCase(_ name: String) -> String {
    let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.prefix(1).joined()
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// `6`, `0.1`: as a person writes a Float.
  static func number(_ value: Double) -> String {
    let float = Float(value)
    return float == float.rounded() && abs(float) < 1e6 ? "\(Int(float))" : "\(float)"
  }

  /// `[6, 0.1]`.
  static func numbers(_ values: [Double]) -> String {
    "[" + values.map(number).joined(separator: ", ") + "]"
  }
}
