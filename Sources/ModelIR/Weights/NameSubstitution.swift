/// A substitution in names, written as in sed: `s/PATTERN/REPLACEMENT/`.
///
/// The pattern is a regular expression of Swift. Any punctuation may take the place of the slashes. In the replacement,
/// `\1` to `\9` stand for the groups of the pattern, and `&` for the whole match. Without the flag `g`, the first match
/// in a name is replaced; with `i`, letters match in either case.
public struct NameSubstitution: Sendable, Equatable, CustomStringConvertible {
  /// The text of the substitution.
  public let description: String
  private let pattern: String
  private let replacement: [Piece]
  private let isGlobal: Bool
  private let ignoresCase: Bool

  private enum Piece: Sendable, Equatable {
    case text(String)
    /// The text of a group; 0 is the whole match.
    case group(Int)
  }

  /// Returns true if `text` has the form of a substitution, whether it is valid or not.
  public static func isSubstitution(_ text: String) -> Bool { parts(of: text) != nil }

  /// Parses a substitution.
  ///
  /// - Throws: `usage` if the text or its pattern is invalid.
  public init(_ text: String) throws(NetconvError) {
    guard let parts = Self.parts(of: text), !parts.pattern.isEmpty,
      let replacement = Self.pieces(of: parts.replacement)
    else { throw .noSubstitution(text) }
    (description, pattern, self.replacement) = (text, parts.pattern, replacement)
    isGlobal = parts.flags.contains("g")
    ignoresCase = parts.flags.contains("i")
    _ = try Self.regex(pattern, in: text)
    // An empty alternative matches everywhere, and its match lists all groups.
    let groups =
      "".firstMatch(of: try Self.regex("(?:\(pattern))|", in: text)).map { $0.output.count - 1 }
      ?? 0
    for case .group(let number) in replacement where number > groups {
      throw .noGroup(number, of: groups, in: text)
    }
  }

  /// Returns the new name for each name that the pattern matches, `nil` for the others.
  public func applied(to names: [String]) -> [String?] {
    guard let regex = try? Self.regex(pattern, in: description).ignoresCase(ignoresCase) else {
      preconditionFailure("the pattern was checked")
    }
    return names.map { name in
      let matches =
        isGlobal ? name.matches(of: regex) : name.firstMatch(of: regex).map { [$0] } ?? []
      guard !matches.isEmpty else { return nil }
      var new = ""
      var end = name.startIndex
      for match in matches {
        new += name[end..<match.range.lowerBound]
        for piece in replacement {
          switch piece {
          case .text(let text): new += text
          case .group(let number): new += match.output[number].substring ?? ""
          }
        }
        end = match.range.upperBound
      }
      return new + name[end...]
    }
  }

  private static func regex(
    _ pattern: String, in text: String
  ) throws(NetconvError) -> Regex<AnyRegexOutput> {
    do {
      return try Regex(pattern).matchingSemantics(.unicodeScalar)
    } catch {
      throw .badPattern(pattern, in: text)
    }
  }

  private static func parts(
    of text: String
  ) -> (pattern: String, replacement: String, flags: Substring)? {
    guard text.first == "s", let delimiter = text.dropFirst().first,
      !delimiter.isLetter, !delimiter.isNumber, !delimiter.isWhitespace, delimiter != "\\",
      delimiter != "="
    else { return nil }
    var parts: [String] = [""]
    var rest = text.dropFirst(2)
    while parts.count < 3, let character = rest.popFirst() {
      if character == delimiter {
        parts.append("")
      } else if character == "\\", let next = rest.popFirst() {
        parts[parts.count - 1] += next == delimiter ? "\(next)" : "\\\(next)"
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    guard parts.count == 3, rest.allSatisfy({ $0 == "g" || $0 == "i" }) else { return nil }
    return (parts[0], parts[1], rest)
  }

  private static func pieces(of text: String) -> [Piece]? {
    var pieces: [Piece] = []
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "&": pieces.append(.group(0))
      case "\\":
        guard let next = rest.popFirst() else { return nil }
        if let number = next.wholeNumberValue {
          pieces.append(.group(number))
        } else {
          guard next.isPunctuation || next.isSymbol else { return nil }
          pieces.append(.text(String(next)))
        }
      default: pieces.append(.text(String(character)))
      }
    }
    return pieces
  }
}

extension NetconvError {
  fileprivate static func noSubstitution(_ text: String) -> NetconvError {
    NetconvError(
      .usage, "\(quoted(text)) is not a substitution; expected s/PATTERN/REPLACEMENT/, then g or i")
  }

  fileprivate static func badPattern(_ pattern: String, in text: String) -> NetconvError {
    NetconvError(
      .usage, "the pattern \(quoted(pattern)) of \(quoted(text)) is not a regular expression")
  }

  fileprivate static func noGroup(_ number: Int, of groups: Int, in text: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(text)) refers to group \(number), and its pattern has \(groups) groups"
    )
  }
}
