import ModelIR

/// Pieces of Swift source text.
package enum SwiftText {
  /// Returns `text` as a string literal.
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

  /// True if a character is invisible: control characters, directional marks, line separators and
  /// unassigned code points.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      true
    default: false
    }
  }

  /// Returns a unique identifier for each of `names` in order; none is a reserved word or in
  /// `taken`.
  package static func identifiers(
    _ names: [String], besides taken: Set<String> = []
  ) -> [String] {
    var identifiers = SwiftIdentifiers(besides: taken)
    return names.map { identifiers.next($0) }
  }

  /// Returns the name in camel case: `max_pool` becomes `maxPool`.
  static func camelCase(_ name: String) -> String {
    let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.prefix(1).joined()
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// Returns the shortest text of a Float: `6`, `0.1`.
  static func number(_ value: Double) -> String {
    let float = Float(value)
    return float == float.rounded() && abs(float) < 1e6 ? "\(Int(float))" : "\(float)"
  }

  /// Returns an array literal: `[6, 0.1]`.
  static func numbers(_ values: [Double]) -> String {
    "[" + values.map(number).joined(separator: ", ") + "]"
  }
}
