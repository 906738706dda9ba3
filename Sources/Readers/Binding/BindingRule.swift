import ModelIR

/// A user's rule that maps tensors to parameters: `features.{n}.weight=conv{#}.kernel`.
///
/// The left side is a tensor name or a scope in the source, the right side a parameter or a layer of the graph.
/// `{n}`, or any other word in braces, matches text without dots and slashes, and is the same on both sides. `{#}` is
/// the number of the match among all matches in natural order, counted from 1.
public struct BindingRule: Sendable, Equatable, CustomStringConvertible {
  private enum Piece: Sendable, Equatable {
    case text(String)
    case variable(String)
    case number

    /// The word in braces.
    var name: String? { if case .variable(let name) = self { name } else { nil } }
  }

  /// The text of the rule.
  public let description: String
  private let source: [Piece]
  private let target: [Piece]

  /// Parses a rule.
  ///
  /// - Throws: `usage` if the text is not a valid rule.
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

  /// The tensors or scopes that a rule matches, by index, with their names in the graph.
  enum Matches {
    case tensors([(place: Int, name: String)])
    case scopes([(place: Int, name: String)])
  }

  /// Returns the matching tensors, or the matching scopes if no tensor matches; a scope's name can be a layer's.
  ///
  /// - Throws: `usage` if nothing matches.
  func matches(_ tensors: [NamedTensor], _ scopes: [String]) throws(NetconvError) -> Matches {
    let names = tensors.map(\.name)
    let named = matches(among: names)
    if !named.isEmpty { return .tensors(named) }
    let scoped = matches(among: scopes)
    guard !scoped.isEmpty else { throw .ruleWithoutMatch(self, among: names) }
    return .scopes(scoped)
  }

  /// Returns the matching names with their names in the graph; slashes in names count as dots.
  ///
  /// - Returns: The indices of the matches and their graph names, in natural order.
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

  /// Returns the values of the variables if the pieces match all of the text.
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
      // Greedy matching with backtracking is fast enough, because names are short.
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

extension NetconvError {
  fileprivate static func wrongRule(_ text: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(text)) is not a rule; expected NAME=LAYER or NAME=LAYER.ROLE, such as "
        + "features.{n}.weight=conv{#}.kernel, where {n} is the same text on both sides and {#} counts the matches"
    )
  }

  fileprivate static func ruleWithoutMatch(_ rule: BindingRule, among names: [String])
    -> NetconvError
  {
    NetconvError(
      .usage,
      "the rule \(quoted(rule.description)) matches no tensor of the source; it has \(SourceNote.list(names))"
    )
  }
}
