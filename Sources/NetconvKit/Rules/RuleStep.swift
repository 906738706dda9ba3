import Documents
import ModelIR

/// A rule in the form in which it is applied.
enum RuleStep: Sendable {
  /// Names change, and values do not.
  case rename(NameSubstitution)
  /// Tensors are left out.
  case drop([NamePattern])
  /// Tensors are made from others.
  case make(Making)

  /// A change of tensors that match patterns.
  struct Making: Sendable {
    var from: [NamePattern]
    var to: [NamePattern]
    var shape: Shape
    /// The rearrangement of each single tensor, in einops notation.
    var pattern: String?
    /// The sizes of axes of the rearrangement.
    var sizes: [String: WeightRules.Size] = [:]
    var factor = 1.0
    var addend = 0.0
  }

  /// The relation between the tensors of a match.
  enum Shape: Sendable {
    /// One tensor becomes one.
    case one
    /// Several tensors become one along an axis.
    case join(axis: Int, parts: [WeightRules.Size]?)
    /// One tensor becomes several along an axis.
    case split(axis: Int, parts: [WeightRules.Size])
    /// Numbered tensors become one along a new first axis.
    case stack(String)
    /// One tensor becomes numbered ones along its first axis.
    case unstack(String)
  }

  /// Creates a step from a rule of a document.
  ///
  /// - Throws: `usage` if its keys contradict each other, or a pattern is invalid.
  init(_ rule: WeightRules.Rule) throws(NetconvError) {
    let kinds = [rule.rename != nil, rule.drop != nil, rule.from != nil]
    guard kinds.count(where: \.self) == 1 else { throw .noKindOfRule }
    if rule.from == nil {
      var rest = rule
      (rest.rename, rest.drop, rest.optional) = (nil, nil, nil)
      guard rest == WeightRules.Rule() else { throw .keysWithoutSource }
    }
    if let rename = rule.rename {
      self = .rename(try NameSubstitution(rename))
    } else if let drop = rule.drop {
      self = .drop(try drop.patterns())
    } else {
      self = .make(try Making(rule))
    }
  }

  /// The steps that undo this one; empty if it only leaves tensors out.
  ///
  /// - Throws: `usage` if the rule does not determine them.
  func reversed() throws(NetconvError) -> [RuleStep] {
    switch self {
    case .rename: throw .cannotReverse("a substitution of names")
    case .drop: return []
    case .make(let making): return [.make(try making.reversed())]
    }
  }
}

extension RuleStep.Making {
  fileprivate init(_ rule: WeightRules.Rule) throws(NetconvError) {
    from = try rule.from?.patterns() ?? []
    to = try rule.to?.patterns() ?? from
    (pattern, sizes) = (rule.pattern, rule.sizes ?? [:])
    (factor, addend) = (rule.scale ?? 1, rule.add ?? 0)
    guard factor != 0, factor.isFinite, addend.isFinite else { throw .badFactor }
    guard pattern != nil || sizes.isEmpty else { throw .sizesWithoutPattern }
    shape = try Self.shape(of: rule)
    try checkNames()
  }

  private static func shape(of rule: WeightRules.Rule) throws(NetconvError) -> RuleStep.Shape {
    let given = [rule.join != nil, rule.split != nil, rule.stack != nil, rule.unstack != nil]
    guard given.count(where: \.self) <= 1 else { throw .severalShapes }
    guard rule.parts == nil || rule.join != nil || rule.split != nil else { throw .partsOfNothing }
    guard (rule.join ?? 0) >= 0, (rule.split ?? 0) >= 0 else { throw .negativeAxis }
    if let axis = rule.join { return .join(axis: axis, parts: rule.parts) }
    if let axis = rule.split {
      guard let parts = rule.parts else { throw .splitWithoutParts }
      return .split(axis: axis, parts: parts)
    }
    if let word = rule.stack { return .stack(word) }
    if let word = rule.unstack { return .unstack(word) }
    return .one
  }

  /// Checks the number of patterns on both sides, and that the sources determine the names of the results.
  private func checkNames() throws(NetconvError) {
    var known = from.first?.words ?? []
    let counts = (from.count, to.count)
    switch shape {
    case .one: guard counts == (1, 1) else { throw .wrongNumberOfNames }
    case .join(_, let parts):
      guard counts.0 > 1, counts.1 == 1, parts.map({ $0.count == counts.0 }) ?? true else {
        throw .wrongNumberOfNames
      }
    case .split(_, let parts):
      guard counts.0 == 1, counts.1 > 1, parts.count == counts.1 else { throw .wrongNumberOfNames }
    case .stack(let word):
      guard counts == (1, 1), known.remove(word) != nil else { throw .wrongNumberOfNames }
    case .unstack(let word):
      guard counts == (1, 1), known.insert(word).inserted, to[0].words.contains(word) else {
        throw .wrongNumberOfNames
      }
    }
    let stacked = if case .stack(let word) = shape { [word] } else { [String]() }
    for pattern in from.dropFirst() + to
    where !pattern.words.isSubset(of: known) || !pattern.words.isDisjoint(with: stacked) {
      throw .unknownWord(in: pattern.text)
    }
    guard from.dropFirst().allSatisfy({ $0.words == known }) else {
      throw .unknownWord(in: from[0].text)
    }
  }

  fileprivate func reversed() throws(NetconvError) -> Self {
    var reversed = self
    (reversed.from, reversed.to) = (to, from)
    switch shape {
    case .one: break
    case .join(let axis, let parts):
      guard let parts else { throw .cannotReverse("a join without 'parts'") }
      reversed.shape = .split(axis: axis, parts: parts)
    case .split(let axis, let parts): reversed.shape = .join(axis: axis, parts: parts)
    case .stack(let word): reversed.shape = .unstack(word)
    case .unstack(let word): reversed.shape = .stack(word)
    }
    if let pattern {
      let sides = pattern.split(separator: "->", omittingEmptySubsequences: false)
      guard sides.count == 2 else { throw .cannotReverse("the pattern \(quoted(pattern))") }
      reversed.pattern = "\(sides[1]) -> \(sides[0])"
    }
    (reversed.factor, reversed.addend) = (1 / factor, addend == 0 ? 0 : -addend / factor)
    do throws(NetconvError) {
      try reversed.checkNames()
    } catch {
      throw .cannotReverse("a rule whose sides have different words in braces")
    }
    return reversed
  }
}

extension WeightRules.Names {
  fileprivate func patterns() throws(NetconvError) -> [NamePattern] {
    try all.map { text throws(NetconvError) in try NamePattern(text) }
  }
}

extension NetconvError {
  fileprivate static var noKindOfRule: NetconvError {
    NetconvError(.usage, "needs exactly one of 'rename', 'drop' and 'from'")
  }

  fileprivate static var keysWithoutSource: NetconvError {
    NetconvError(.usage, "'rename' and 'drop' stand alone; other keys need 'from'")
  }

  fileprivate static var badFactor: NetconvError {
    NetconvError(.usage, "'scale' is 0 or not finite, or 'add' is not finite")
  }

  fileprivate static var sizesWithoutPattern: NetconvError {
    NetconvError(.usage, "'sizes' has no effect without 'pattern'")
  }

  fileprivate static var severalShapes: NetconvError {
    NetconvError(
      .usage, "needs at most one of 'join', 'split', 'stack' and 'unstack'; use several rules")
  }

  fileprivate static var partsOfNothing: NetconvError {
    NetconvError(.usage, "'parts' needs 'join' or 'split'")
  }

  fileprivate static var negativeAxis: NetconvError {
    NetconvError(.usage, "an axis is an index from 0 on")
  }

  fileprivate static var splitWithoutParts: NetconvError {
    NetconvError(.usage, "'split' needs 'parts', the length of each part along the axis")
  }

  fileprivate static var wrongNumberOfNames: NetconvError {
    NetconvError(
      .usage,
      "has the wrong number of names: one in 'from' and one in 'to'; for 'join' several in 'from', for 'split' several in "
        + "'to', as many as 'parts'; the word of 'stack' is only in 'from', that of 'unstack' only in 'to'"
    )
  }

  fileprivate static func unknownWord(in pattern: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(pattern)) has a word in braces, or a star, that another name of the rule lacks")
  }

  fileprivate static func cannotReverse(_ what: String) -> NetconvError {
    NetconvError(.usage, text: "cannot be reversed: it is \(what)")
  }
}
