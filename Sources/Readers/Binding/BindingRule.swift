import ModelIR

/// Which tensors are which parameters, as a user says it: `features.{n}.weight=conv{#}.kernel`.
///
/// The left side is a name in the source, or what it takes for a layer; the right side a parameter of the graph, or a
/// layer. `{n}`, or any other word in braces, is a text without dots and slashes, the same on both sides. `{#}` is the
/// place of the match among all matches in natural order, from 1.
public struct BindingRule: Sendable, Equatable, CustomStringConvertible {
  private enum Piece: Sendable, Equatable {
    case text(String)
    case variable(String)
    case number

    /// The word in braces.
    var name: String? { if case .variable(let name) = self { name } else { nil } }
  }

  /// As it was written.
  public let description: String
  private let source: [Piece]
  private let target: [Piece]

  /// The rule that a text says.
  ///
  /// - Throws: `usage` if it is none.
  public init(_ text: String) throws(NetconvError) {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty,
      let source = Self.pieces(Substring(String(sides[0]).withoutSeparators)),
      let target = Self.pieces(sides[1])
    else { throw .wrongRule(text) }
    let known = Set(source.compactMap { $0.name })
    guard !source.contains(.number), Set(target.compactMap { $0.name }).isSubset(of: known) else {
      throw .wrongRule(text)
    }
    (description, self.source, self.target) = (text, source, target)
  }

  private static func pieces(_ text: Substring) -> [Piece]? {
    var pieces: [Piece] = []
    var rest = text
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else { return nil }
      if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
      let word = rest[rest.index(after: open)..<close]
      guard word == "#" || !word.isEmpty && word.allSatisfy(\.isLetter) else { return nil }
      pieces.append(word == "#" ? .number : .variable(String(word)))
      rest = rest[rest.index(after: close)...]
    }
    guard !rest.contains("}") else { return nil }
    return rest.isEmpty ? pieces : pieces + [.text(String(rest))]
  }

  /// What a rule speaks of: tensors or scopes by their places, and what they are called in the graph.
  enum Matches {
    case tensors([(place: Int, name: String)])
    case scopes([(place: Int, name: String)])
  }

  /// The tensors that match, or the scopes where no tensor does: a name in itself may be that of a layer, too.
  ///
  /// - Throws: `usage` if there are neither.
  func matches(_ tensors: [NamedTensor], _ scopes: [String]) throws(NetconvError) -> Matches {
    let names = tensors.map(\.name)
    let named = matches(among: names)
    if !named.isEmpty { return .tensors(named) }
    let scoped = matches(among: scopes)
    guard !scoped.isEmpty else { throw .ruleWithoutMatch(self, among: names) }
    return .scopes(scoped)
  }

  /// What the names that match are called in the graph; slashes in names are taken for dots.
  ///
  /// - Returns: the places of the names, and their other names, in natural order.
  func matches(among names: [String]) -> [(place: Int, name: String)] {
    let found = names.indices.compactMap { place in
      Self.variables(in: names[place].withoutSeparators[...], source, [:]).map { (place, $0) }
    }.sorted { names[$0.0].precedesNaturally(names[$1.0]) }
    return found.enumerated().map { index, match in
      let name = target.map { piece in
        switch piece {
        case .text(let text): text
        case .variable(let variable): match.1[variable] ?? ""
        case .number: "\(index + 1)"
        }
      }.joined()
      return (match.0, name)
    }
  }

  /// What the words in braces stand for, if the pieces are all of the text.
  private static func variables(
    in text: Substring, _ pieces: [Piece], _ known: [String: String]
  ) -> [String: String]? {
    guard let piece = pieces.first else { return text.isEmpty ? known : nil }
    let rest = Array(pieces.dropFirst())
    switch piece {
    case .number: return nil
    case .text(let expected):
      guard text.hasPrefix(expected) else { return nil }
      return variables(in: text.dropFirst(expected.count), rest, known)
    case .variable(let name):
      if let value = known[name] {
        guard text.hasPrefix(value) else { return nil }
        return variables(in: text.dropFirst(value.count), rest, known)
      }
      // The longest text that lets the rest match; names have few characters.
      let longest = text.prefix { $0 != "." }
      for count in stride(from: longest.count, to: 0, by: -1) {
        var variables = known
        variables[name] = String(text.prefix(count))
        if let found = Self.variables(in: text.dropFirst(count), rest, variables) { return found }
      }
      return nil
    }
  }
}
