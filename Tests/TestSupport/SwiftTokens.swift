/// A token of Swift source text: a word, a literal by its value, or a sign.
///
/// Comments and white space are omitted.
public enum SwiftToken: Hashable {
  case word(String)
  case literal(String)
  case sign(Unicode.Scalar)

  /// The tokens of `text`; `nil` if a literal does not end on its line.
  public static func all(in text: String) -> [SwiftToken]? {
    var rest = Array(text.unicodeScalars)[...]
    var tokens: [SwiftToken] = []
    while let scalar = rest.first {
      if scalar.properties.isWhitespace {
        rest.removeFirst()
      } else if rest.starts(with: "//".unicodeScalars) {
        // Only these two characters end a comment.
        rest = rest.drop { $0 != "\n" && $0 != "\r" }
      } else if scalar == "\"" {
        guard let value = literal(&rest) else { return nil }
        tokens.append(.literal(value))
      } else if isOfWord(scalar) {
        let word = rest.prefix(while: isOfWord)
        rest.removeFirst(word.count)
        tokens.append(.word(word.reduce(into: "") { $0.unicodeScalars.append($1) }))
      } else {
        tokens.append(.sign(rest.removeFirst()))
      }
    }
    return tokens
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "`" || scalar == "$" || scalar.properties.isAlphabetic
      || ("0"..."9").contains(scalar)
  }

  /// The value of a literal; interpolations stay as source text, after a mark.
  private static func literal(_ rest: inout ArraySlice<Unicode.Scalar>) -> String? {
    rest.removeFirst()
    var value = ""
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return value
      case "\n", "\r": return nil
      case "\\":
        guard let escape = rest.popFirst() else { return nil }
        switch escape {
        case "\\", "\"": value.unicodeScalars.append(escape)
        case "n": value += "\n"
        case "u":
          let digits = rest.dropFirst().prefix { $0 != "}" }
          rest.removeFirst(digits.count + 2)
          let number = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
          guard let scalar = number.flatMap(Unicode.Scalar.init) else { return nil }
          value.unicodeScalars.append(scalar)
        default: value += "\u{0}\(escape)"
        }
      default: value.unicodeScalars.append(scalar)
      }
    }
    return nil
  }
}
