import Documents

/// A parser for the argument of `--replace`.
struct ReplacementParser {
  /// A syntax error.
  struct Mistake: Error {
    /// The position in characters.
    let position: Int
    /// The found and expected text.
    let message: String
    /// The valid choices.
    var details: [String] = []
  }

  /// A layer and the name of an operator, which may not exist.
  struct Replacement {
    let layer: String
    let name: String
    let namePosition: Int
    let attributes: [Attribute]
    /// The operator with its attributes, as text.
    let text: String
  }

  /// An attribute and its position.
  struct Attribute {
    let name: String
    let position: Int
    let value: JSONValue
  }

  /// The maximum nesting depth of lists.
  private static let depthLimit = 16

  private let characters: [Character]
  private var position = 0

  init(_ text: String) {
    characters = Array(text)
  }

  /// Parses `LAYER=OPERATOR(attribute: value, …)`; the parentheses are optional without attributes.
  mutating func replacement() throws(Mistake) -> Replacement {
    guard let separator = characters.firstIndex(of: "=") else {
      position = characters.count
      throw expected("'=' and an operator after the name of the layer")
    }
    guard separator > 0 else { throw expected("the name of a layer") }
    position = separator + 1
    skipSpace()
    let start = position
    let name = word()
    guard !name.isEmpty else { throw expected("the name of an operator") }
    let hasAttributes = take("(")
    let attributes = hasAttributes ? try members(until: ")", depth: 0) : []
    skipSpace()
    guard position == characters.count else {
      throw expected(hasAttributes ? "the end" : "'(' or the end")
    }
    return Replacement(
      layer: String(characters[..<separator]), name: name, namePosition: start,
      attributes: attributes, text: String(characters[start...]).trimmed)
  }

  /// Parses `name: value, …` and the closing delimiter.
  private mutating func members(
    until end: Character, depth: Int
  ) throws(Mistake) -> [Attribute] {
    var members: [Attribute] = []
    guard !take(end) else { return [] }
    repeat {
      skipSpace()
      let start = position
      let name = word()
      guard !name.isEmpty else { throw expected("the name of an attribute") }
      guard take(":") else { throw expected("':' and a value after '\(name)'") }
      members.append(Attribute(name: name, position: start, value: try value(depth)))
    } while take(",")
    guard take(end) else { throw expected("',' or '\(end)'") }
    return members
  }

  private mutating func value(_ depth: Int) throws(Mistake) -> JSONValue {
    guard depth < Self.depthLimit else { throw expected("fewer lists in lists") }
    if take("[") { return .array(try elements(depth + 1)) }
    let start = position
    if take("{") {
      var object: [String: JSONValue] = [:]
      for member in try members(until: "}", depth: depth + 1) {
        guard object.updateValue(member.value, forKey: member.name) == nil else {
          throw .repeatedAttribute(member.name, at: member.position)
        }
      }
      return .object(object)
    }
    position = start
    skipSpace()
    switch current {
    case "\"", "'": return .string(try text())
    case let character? where Self.beginsNumber(character): return .number(try fraction())
    default:
      let name = word()
      switch name {
      case "": throw expected("a value: a number, a text, true, false, null, or a list in brackets")
      case "true", "True": return .bool(true)
      case "false", "False": return .bool(false)
      case "null", "None": return .null
      default: return .string(name)
      }
    }
  }

  private mutating func elements(_ depth: Int) throws(Mistake) -> [JSONValue] {
    var elements: [JSONValue] = []
    guard !take("]") else { return [] }
    repeat {
      elements.append(try value(depth))
    } while take(",")
    guard take("]") else { throw expected("',' or ']'") }
    return elements
  }

  private mutating func text() throws(Mistake) -> String {
    let quote = characters[position]
    position += 1
    var text = ""
    while let character = current, character != quote {
      position += 1
      if character == "\\", let escaped = current {
        position += 1
        text.append(escaped)
      } else {
        text.append(character)
      }
    }
    guard current == quote else { throw expected("a closing \(quote)") }
    position += 1
    return text
  }
}

// MARK: - Numbers

extension ReplacementParser {
  private static func beginsNumber(_ character: Character) -> Bool {
    character.isASCII && (character.isNumber || "+-.".contains(character))
  }

  /// Parses a number or a fraction.
  private mutating func fraction() throws(Mistake) -> Double {
    let numerator = try number()
    guard take("/") else { return numerator }
    skipSpace()
    let start = position
    let quotient = numerator / (try number())
    guard quotient.isFinite else {
      throw Mistake(position: start, message: "this cannot be divided by")
    }
    return quotient
  }

  private mutating func number() throws(Mistake) -> Double {
    skipSpace()
    let start = position
    while let character = current {
      let isSign = "+-".contains(character)
      let isAllowed =
        isSign
        ? position == start || "eE".contains(characters[position - 1])
        : character.isASCII && (character.isNumber || ".eE".contains(character))
      guard isAllowed else { break }
      position += 1
    }
    guard let number = Double(String(characters[start..<position])), number.isFinite else {
      position = start
      throw expected("a number")
    }
    return number
  }
}

// MARK: - Characters

extension ReplacementParser {
  private var current: Character? {
    position < characters.count ? characters[position] : nil
  }

  private mutating func skipSpace() {
    while current?.isWhitespace ?? false { position += 1 }
  }

  /// Skips white space and `character`, if it comes next.
  private mutating func take(_ character: Character) -> Bool {
    let start = position
    skipSpace()
    guard current == character else {
      position = start
      return false
    }
    position += 1
    return true
  }

  /// Parses letters, digits and underscores.
  private mutating func word() -> String {
    let start = position
    while let character = current, character.isLetter || character.isNumber || character == "_" {
      position += 1
    }
    return String(characters[start..<position])
  }

  private func expected(_ what: String) -> Mistake {
    var end = self
    end.skipSpace()
    return Mistake(position: end.position, message: "expected \(what)")
  }
}
