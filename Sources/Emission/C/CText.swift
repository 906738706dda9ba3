import ModelIR

/// Pieces of C source text.
enum CText {
  /// Returns the shortest literal that a compiler reads as exactly this number: `0.1f`, `-2.0f`.
  static func literal(_ value: Float) -> String {
    if value.isNaN { return "NAN" }
    if value.isInfinite { return value < 0 ? "-INFINITY" : "INFINITY" }
    return "\(value)f"
  }

  /// Returns the literal of a number rounded to float32.
  static func literal(_ value: Double) -> String { literal(Float(value)) }

  /// Returns the elements of an initialiser in lines of at most 100 characters.
  static func lines(_ literals: some Sequence<String>, indentation: String) -> [String] {
    var lines: [String] = []
    var line = indentation
    var isEmpty = true
    for literal in literals {
      if !isEmpty, line.utf8.count + literal.utf8.count + 2 > 100 {
        lines.append(line)
        line = indentation
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + literal + ","
      isEmpty = false
    }
    return isEmpty ? lines : lines + [line]
  }

  /// Returns the definition of a constant array of integers within a function.
  static func integers(_ name: String, _ values: [Int]) -> [String] {
    array("int", name, values.map { "\($0)" })
  }

  /// Returns the definition of a constant array of numbers within a function.
  static func numbers(_ name: String, _ values: [Float]) -> [String] {
    array("float", name, values.map(literal))
  }

  private static func array(_ type: String, _ name: String, _ literals: [String]) -> [String] {
    let line = "static const \(type) \(name)[\(literals.count)] = {"
    let list = literals.joined(separator: ", ")
    if line.utf8.count + list.utf8.count < 90 { return [line + list + "};"] }
    return [line] + lines(literals, indentation: "    ") + ["};"]
  }

  /// Returns sizes in words: `28 x 28 x 1`.
  static func sizes(_ shape: [Int]) -> String {
    shape.isEmpty ? "1" : shape.map { "\($0)" }.joined(separator: " x ")
  }

  /// Returns `text` as it can stand in a comment of C.
  static func comment(_ text: String) -> String {
    escaped(text).replacing("*/", with: "* /").replacing("/*", with: "/ *")
      .replacing("??/", with: "? ?/")
  }

  /// Returns `text` as a string literal of printable ASCII, of which a compiler takes at most 4,095 characters.
  static func string(_ text: String) -> String {
    var literal = ""
    for byte in text.utf8.prefix(1000) {
      switch byte {
      case 0x22, 0x5c: literal += "\\" + String(UnicodeScalar(byte))
      case 0x3f: literal += "\\?"
      case 0x20...0x7e: literal += String(UnicodeScalar(byte))
      default:
        let octal = String(byte, radix: 8)
        literal += "\\" + String(repeating: "0", count: 3 - octal.count) + octal
      }
    }
    return "\"" + literal + "\""
  }

  /// Returns lines in a block of their own, with the declarations that they need.
  static func block(_ lines: [String]) -> [String] {
    ["{"] + lines.map { $0.isEmpty ? $0 : "    " + $0 } + ["}"]
  }
}
