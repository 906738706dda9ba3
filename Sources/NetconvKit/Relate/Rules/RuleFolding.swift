import Documents
import ModelIR

/// Rules of several layers as one, with words in braces for the numbers of their names.
struct RuleFolding {
  /// The words in the order in which they are used; the last one is for what a stack counts.
  private static let words = ["n", "m", "k", "l", "j", "i"]
  static let counterWord = "e"

  /// Rules that differ in the numbers of their names alone.
  private struct Key: Hashable {
    let shape: FoundRule.Shape
    let from: [String]
    let to: [String]
    let motion: FoundRule.Motion
    let parts: [Int]

    init(_ rule: FoundRule) {
      (shape, motion, parts) = (rule.shape, rule.motion, rule.parts)
      from = rule.from.map { NumberedName($0).template }
      to = rule.to.map { NumberedName($0).template }
    }
  }

  /// The names of all tensors at this stage.
  private(set) var names: Set<String>
  private(set) var sizes: ConfigurationSizes

  init(_ names: some Sequence<String>, _ sizes: ConfigurationSizes) {
    self.names = Set(names)
    self.sizes = sizes
  }

  /// Returns the rules of a stage, each for as many tensors as names allow.
  mutating func folded(_ rules: [FoundRule]) -> [WeightRules.Rule] {
    var places: [Key: Int] = [:]
    var groups: [[FoundRule]] = []
    for rule in rules {
      let key = Key(rule)
      if let place = places[key] {
        groups[place].append(rule)
      } else {
        places[key] = groups.count
        groups.append([rule])
      }
    }
    var all: [WeightRules.Rule] = []
    for group in ordered(groups) { all += folded(alike: group) }
    return all
  }

  /// Returns the groups in their order, but few exceptions before the rule of all other tensors of the same name.
  private func ordered(_ groups: [[FoundRule]]) -> [[FoundRule]] {
    var classes: [String: [[FoundRule]]] = [:]
    var order: [String] = []
    for group in groups {
      let template = NumberedName(group[0].from[0]).template
      if classes[template] == nil { order.append(template) }
      classes[template, default: []].append(group)
    }
    return order.flatMap { (classes[$0] ?? []).sorted { $0.count < $1.count } }
  }

  private mutating func folded(alike rules: [FoundRule]) -> [WeightRules.Rule] {
    let patterns = NumberWords(rules.map { $0.from + $0.to })?.patterns
    let count = rules[0].from.count
    let taken = Set(rules.flatMap(\.taken))
    defer {
      names.subtract(taken)
      names.formUnion(rules.flatMap(\.to))
    }
    if let patterns, rules.count > 1,
      let first = try? NamePattern(Self.counted(patterns[0])),
      Set(names.filter { first.captures(in: $0) != nil }).isSubset(of: taken)
    {
      return [document(rules[0], Array(patterns[..<count]), Array(patterns[count...]))]
    }
    var all: [WeightRules.Rule] = []
    for rule in rules { all.append(document(rule, rule.from, rule.to)) }
    return all
  }

  private static func counted(_ name: String) -> String {
    name.replacing(FoundRule.counter, with: "{\(counterWord)}")
  }

  private mutating func document(
    _ rule: FoundRule, _ from: [String], _ to: [String]
  ) -> WeightRules.Rule {
    var document = WeightRules.Rule()
    document.from = WeightRules.Names(from.map(Self.counted))
    if from != to { document.to = WeightRules.Names(to.map(Self.counted)) }
    document.pattern = rule.motion.pattern
    if !rule.motion.sizes.isEmpty {
      document.sizes = sizes.sizes(rule.motion, of: rule.from[0])
    }
    (document.scale, document.add) = (rule.motion.scale, rule.motion.add)
    var parts: [WeightRules.Size] = []
    for length in rule.parts { parts.append(sizes.length(length)) }
    switch rule.shape {
    case .one: break
    case .join(let axis): (document.join, document.parts) = (axis, parts)
    case .split(let axis): (document.split, document.parts) = (axis, parts)
    case .stack: document.stack = Self.counterWord
    case .unstack: document.unstack = Self.counterWord
    }
    return document
  }

  /// The numbers of names of several rules that change together, as words.
  private struct NumberWords {
    let patterns: [String]

    /// Finds the words; `nil` if the numbers of one name do not determine those of another.
    ///
    /// - Parameter rules: the names of each rule, that of the first source first.
    init?(_ rules: [[String]]) {
      let numbered = rules.map { $0.map(NumberedName.init) }
      guard
        zip(rules.joined(), numbered.joined()).allSatisfy({
          $0 == NumberedName.name($1.template, $1.numbers)
        }), let first = numbered.first
      else { return nil }
      var known: [(column: [Int], word: String)] = []
      var patterns: [String] = []
      var isClear = true
      for (place, name) in first.enumerated() {
        patterns.append(
          name.filled { index in
            let column = numbered.map { $0[place].numbers[index] }
            guard Set(column).count > 1 else { return "\(column[0])" }
            if let word = known.first(where: { $0.column == column })?.word { return "{\(word)}" }
            guard place == 0, known.count < RuleFolding.words.count else {
              isClear = false
              return ""
            }
            known.append((column, RuleFolding.words[known.count]))
            return "{\(RuleFolding.words[known.count - 1])}"
          })
      }
      guard isClear else { return nil }
      self.patterns = patterns
    }
  }
}

extension RuleFolding {
  /// Returns patterns that match these names and no others.
  static func patterns(of names: [String], among all: [String]) -> [String] {
    let groups = Dictionary(grouping: names) { NumberedName($0).template }
    var seen: Set<String> = []
    return names.flatMap { name -> [String] in
      let template = NumberedName(name).template
      guard seen.insert(template).inserted, let group = groups[template] else { return [] }
      if group.count > 1, let patterns = NumberWords(group.map { [$0] })?.patterns,
        let pattern = try? NamePattern(patterns[0]),
        all.count(where: { pattern.captures(in: $0) != nil }) == group.count
      {
        return patterns
      }
      return group
    }
  }
}
