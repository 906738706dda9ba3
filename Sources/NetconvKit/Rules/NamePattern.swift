import ModelIR

/// A pattern of tensor names: `model.layers.{n}.*.weight`.
///
/// A word in braces matches text without dots and slashes, and has the same value wherever it occurs in a rule. `*` matches
/// any text; the first star of one pattern corresponds to the first star of another.
struct NamePattern: Sendable, Equatable {
  /// The matched text by word; stars are numbered.
  typealias Captures = [String: String]

  private enum Piece: Sendable, Equatable {
    case text(String)
    case word(String)
    case star(String)
  }

  /// The text of the pattern.
  let text: String
  private let pieces: [Piece]

  /// Parses a pattern.
  ///
  /// - Throws: `usage` if it is empty or a brace is not closed.
  init(_ text: String) throws(NetconvError) {
    guard !text.isEmpty, let pieces = Self.pieces(text) else { throw .badNamePattern(text) }
    (self.text, self.pieces) = (text, pieces)
  }

  /// The words and stars of the pattern.
  var words: Set<String> {
    Set(
      pieces.compactMap { piece in
        switch piece {
        case .text: nil
        case .word(let word), .star(let word): word
        }
      })
  }

  /// Returns the matched texts if the pattern matches all of `name`.
  func captures(in name: String) -> Captures? {
    Self.captures(in: name[...], pieces[...], [:])
  }

  /// Returns the name with words and stars replaced, or `nil` if one is not known.
  func name(_ captures: Captures) -> String? {
    var name = ""
    for piece in pieces {
      switch piece {
      case .text(let text): name += text
      case .word(let word), .star(let word):
        guard let text = captures[word] else { return nil }
        name += text
      }
    }
    return name
  }

  private static func pieces(_ text: String) -> [Piece]? {
    var pieces: [Piece] = []
    var rest = text[...]
    var stars = 0
    while let first = rest.first {
      switch first {
      case "*":
        stars += 1
        pieces.append(.star("*\(stars)"))
        rest = rest.dropFirst()
      case "{":
        guard let close = rest.firstIndex(of: "}") else { return nil }
        let word = rest[rest.index(after: rest.startIndex)..<close]
        guard !word.isEmpty, word.allSatisfy(\.isLetter) else { return nil }
        pieces.append(.word(String(word)))
        rest = rest[close...].dropFirst()
      case "}": return nil
      default:
        let plain = rest.prefix { !"*{}".contains($0) }
        pieces.append(.text(String(plain)))
        rest = rest.dropFirst(plain.count)
      }
    }
    return pieces
  }

  private static func captures(
    in text: Substring, _ pieces: ArraySlice<Piece>, _ known: Captures
  ) -> Captures? {
    guard let piece = pieces.first else { return text.isEmpty ? known : nil }
    let rest = pieces.dropFirst()
    switch piece {
    case .text(let expected):
      guard text.hasPrefix(expected) else { return nil }
      return captures(in: text.dropFirst(expected.count), rest, known)
    case .word(let word), .star(let word):
      if let value = known[word] {
        guard text.hasPrefix(value) else { return nil }
        return captures(in: text.dropFirst(value.count), rest, known)
      }
      let isStar = piece == .star(word)
      let longest = isStar ? text : text.prefix { $0 != "." && $0 != "/" }
      // The shortest text first: a name has one reading however many stars there are.
      for count in stride(from: isStar ? 0 : 1, through: longest.count, by: 1) {
        var captured = known
        captured[word] = String(text.prefix(count))
        if let found = captures(in: text.dropFirst(count), rest, captured) { return found }
      }
      return nil
    }
  }
}

extension NetconvError {
  fileprivate static func badNamePattern(_ text: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(text)) is not a pattern of names; expected one such as layers.{n}.*.weight, with letters in braces"
    )
  }
}
