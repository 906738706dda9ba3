/// A regular expression for names of modules, in the syntax that Python and most adapters use.
///
/// It supports literals, `.`, `\d`, `\w`, escapes, classes, groups, alternatives, anchors, `*`, `+` and `?`.
/// Source: PEFT 0.21, `utils/other.py`, `get_pattern_key`.
package struct ModulePattern: Sendable {
  /// The text of the expression.
  package let text: String
  private let alternatives: [[Node]]

  /// A part of an expression.
  private indirect enum Node: Sendable {
    case one(Scalars)
    case group([[Node]])
    case repeated(Node, least: Int, most: Int)
    case start
    case end
  }

  /// A set of characters.
  private struct Scalars: Sendable {
    var ranges: [ClosedRange<UInt32>]
    var isInverted = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      ranges.contains { $0.contains(scalar.value) } != isInverted
    }

    static let digits = Scalars(ranges: [48...57])
    static let words = Scalars(ranges: [48...57, 65...90, 95...95, 97...122])
    static let any = Scalars(ranges: [10...10], isInverted: true)

    static func only(_ scalar: Unicode.Scalar) -> Scalars {
      Scalars(ranges: [scalar.value...scalar.value])
    }
  }

  /// Parses an expression; `nil` if it uses other syntax.
  package init?(_ text: String) {
    self.text = text
    var parser = Parser(scalars: Array(text.unicodeScalars))
    guard let alternatives = parser.alternatives(), parser.isAtEnd else { return nil }
    self.alternatives = alternatives
  }

  /// Returns true if the expression matches the name, or its end after a dot; `nil` if that takes too many steps.
  package func matches(_ name: String) -> Bool? {
    let scalars = Array(name.unicodeScalars)
    var matcher = Matcher(scalars: scalars)
    let starts = [0] + scalars.indices.filter { scalars[$0] == "." }.map { $0 + 1 }
    for start in starts {
      for nodes in alternatives
      where matcher.matches(nodes[...], from: start, then: { $0 == scalars.count }) {
        return true
      }
    }
    return matcher.isExhausted ? nil : false
  }

  // MARK: - Matching

  /// A search with backtracking, in a limited number of steps.
  private struct Matcher {
    let scalars: [Unicode.Scalar]
    private var steps = 0
    var isExhausted: Bool { steps > 100_000 }

    init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    mutating func matches(
      _ nodes: ArraySlice<Node>, from index: Int, then next: (Int) -> Bool
    ) -> Bool {
      steps += 1
      guard !isExhausted else { return false }
      guard let node = nodes.first else { return next(index) }
      let rest = nodes.dropFirst()
      switch node {
      case .start: return index == 0 && matches(rest, from: index, then: next)
      case .end: return index == scalars.count && matches(rest, from: index, then: next)
      case .one(let set):
        return index < scalars.count && set.contains(scalars[index])
          && matches(rest, from: index + 1, then: next)
      case .group(let choices):
        for choice in choices where matches((choice + rest)[...], from: index, then: next) {
          return true
        }
        return false
      case .repeated(let node, let least, let most):
        return matches(node, least, most, rest, from: index, then: next)
      }
    }

    private mutating func matches(
      _ node: Node, _ least: Int, _ most: Int, _ rest: ArraySlice<Node>, from index: Int,
      then next: (Int) -> Bool
    ) -> Bool {
      for end in ends(of: node, from: index) where most > 0 && (end > index || least > 0) {
        let more = Node.repeated(node, least: max(0, least - 1), most: most - 1)
        if matches(([more] + rest)[...], from: end, then: next) { return true }
      }
      return least == 0 && matches(rest, from: index, then: next)
    }

    /// The indices where one match of a node ends.
    private mutating func ends(of node: Node, from index: Int) -> [Int] {
      var ends: [Int] = []
      for end in index...scalars.count where matches([node], from: index, then: { $0 == end }) {
        ends.append(end)
      }
      return ends
    }
  }

  // MARK: - Parsing

  private struct Parser {
    let scalars: [Unicode.Scalar]
    private var index = 0

    init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    var isAtEnd: Bool { index == scalars.count }
    private var next: Unicode.Scalar? { isAtEnd ? nil : scalars[index] }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
      guard next == scalar else { return false }
      index += 1
      return true
    }

    mutating func alternatives() -> [[Node]]? {
      var all: [[Node]] = []
      repeat {
        var nodes: [Node] = []
        while let scalar = next, scalar != "|", scalar != ")" {
          guard let node = atom(), let repeated = quantified(node) else { return nil }
          nodes.append(repeated)
        }
        all.append(nodes)
      } while skip("|")
      return all
    }

    private mutating func quantified(_ node: Node) -> Node? {
      let bounds: (least: Int, most: Int)
      switch next {
      case "*": bounds = (0, .max)
      case "+": bounds = (1, .max)
      case "?": bounds = (0, 1)
      default: return node
      }
      index += 1
      // A lazy quantifier finds the same matches; others do not.
      _ = skip("?")
      guard next != "+", next != "*", next != "?" else { return nil }
      return .repeated(node, least: bounds.least, most: bounds.most)
    }

    private mutating func atom() -> Node? {
      guard let scalar = next else { return nil }
      index += 1
      switch scalar {
      case ".": return .one(.any)
      case "^": return .start
      case "$": return .end
      case "\\": return escaped().map { .one($0) }
      case "[": return characters().map { .one($0) }
      case "(":
        if skip("?") { guard skip(":") else { return nil } }
        guard let choices = alternatives(), skip(")") else { return nil }
        return .group(choices)
      case "*", "+", "?", "{", "}", "]": return nil
      default: return .one(.only(scalar))
      }
    }

    private mutating func escaped() -> Scalars? {
      guard let scalar = next else { return nil }
      index += 1
      switch scalar {
      case "d": return .digits
      case "w": return .words
      default: return Scalars.words.contains(scalar) && scalar != "_" ? nil : .only(scalar)
      }
    }

    private mutating func characters() -> Scalars? {
      var set = Scalars(ranges: [])
      set.isInverted = skip("^")
      while let scalar = next, scalar != "]" {
        index += 1
        if scalar == "\\" {
          guard let escaped = escaped() else { return nil }
          set.ranges += escaped.ranges
        } else if next == "-", index + 1 < scalars.count, scalars[index + 1] != "]" {
          let last = scalars[index + 1]
          guard scalar.value <= last.value, last != "\\" else { return nil }
          set.ranges.append(scalar.value...last.value)
          index += 2
        } else {
          set.ranges.append(scalar.value...scalar.value)
        }
      }
      return skip("]") && !set.ranges.isEmpty ? set : nil
    }
  }
}
