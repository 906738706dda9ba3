import Documents
import Files
import ModelIR
import Readers
import Relations
import Writers

/// A rules file that makes the tensors of B from those of A, tried on the tensors that it was found from.
struct RelatedRules {
  let document: WeightRules
  let report: RelateReport.Rules

  /// The prefix of the names of B's tensors, if they could be taken for tensors of A.
  private static let prefix = "~"
  /// The limit on attempts without the tensors that rules made wrong.
  private static let attempts = 4

  private let a: [(name: String, stored: StoredTensor)]
  private let b: [String: StoredTensor]

  /// Finds the rules.
  ///
  /// - Throws: `usage` if the tensors of a source have no names of their own; errors of the reads.
  init(
    _ map: WeightsMap, from a: ReadSource, to b: ReadSource, _ observer: Observer
  ) throws(NetconvError) {
    let (ofA, ofB) = (try Self.names(of: a), try Self.names(of: b))
    self.a = ofA
    self.b = Dictionary(ofB.map { ($0.name, $0.stored) }) { first, _ in first }
    let folder = a.files.first.map { Directory.parent(of: $0.path) } ?? "."
    let sizes = try ConfigurationSizes(beside: folder)
    let named = map.named(ofA, ofB, ContainerNames(b))
    var excluded: [FoundRules.Unsaid] = []
    var attempt = try Attempt(named, ofA, self.b, [], sizes, beside: folder, observer)
    for _ in 1..<Self.attempts where !attempt.wrong.isEmpty {
      excluded += attempt.wrong
      attempt = try Attempt(named, ofA, self.b, excluded, sizes, beside: folder, observer)
    }
    guard attempt.wrong.isEmpty else { throw .noRulesFit(attempt.wrong.map(\.name)) }
    document = attempt.document
    report = RelateReport.Rules(
      path: "", count: document.rules.count, made: attempt.found.said.count,
      unsaid: attempt.found.unsaid.map { .init(name: $0.name, reason: $0.reason.words) },
      leftOut: attempt.found.dropped, rounded: attempt.rounded,
      elementType: Self.commonType(attempt.found.said.compactMap { [b = self.b] in b[$0] }),
      sizes: attempt.sizes.ambiguities)
  }

  private static func names(
    of source: ReadSource
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    guard let named = source.namedTensors else { throw .rulesNeedNames(source.path) }
    return named
  }

  /// The floating-point type of all tensors, if it is narrower than the one that `convert` writes by default.
  private static func commonType(_ tensors: [StoredTensor]) -> String? {
    let types = Set(tensors.map(\.source.elementType))
    guard types.count == 1, let type = types.first, type == .float16 || type == .bfloat16 else {
      return nil
    }
    return type.rawValue
  }

  /// Rules, and the tensors that they make of A.
  private struct Attempt {
    private(set) var found: FoundRules
    private(set) var document = WeightRules(rules: [])
    private(set) var sizes: ConfigurationSizes
    /// Tensors that the rules make, but not as they are in B.
    private(set) var wrong: [FoundRules.Unsaid] = []
    /// Tensors that equal those of B up to rounding.
    private(set) var rounded: [String] = []

    init(
      _ map: WeightsMap, _ a: [(name: String, stored: StoredTensor)], _ b: [String: StoredTensor],
      _ excluded: [FoundRules.Unsaid], _ sizes: ConfigurationSizes, beside folder: String,
      _ observer: Observer
    ) throws(NetconvError) {
      (found, self.sizes) = (
        FoundRules(map, of: a.map(\.name), excluding: excluded, prefix: ""), sizes
      )
      for prefix in ["", RelatedRules.prefix] {
        found = FoundRules(map, of: a.map(\.name), excluding: excluded, prefix: prefix)
        document = Self.document(found, a.map(\.name), prefix, &self.sizes)
        var tensors = RuledTensors(a, sizes: try RuleSizes(nil, beside: folder))
        guard (try? tensors.apply(document)) != nil else { continue }
        let made = Dictionary(
          uniqueKeysWithValues: tensors.entries.map { ($0.name, $0.stored) })
        guard Set(made.keys) == Set(found.said) else { continue }
        try compare(made, b, observer)
        return
      }
      wrong = found.said.map { .init(name: $0, reason: .otherShape) }
    }

    private static func document(
      _ found: FoundRules, _ names: [String], _ prefix: String, _ sizes: inout ConfigurationSizes
    ) -> WeightRules {
      var rules: [WeightRules.Rule] = []
      let old = Set(names)
      let dropped = found.dropped.filter(old.contains)
      if !dropped.isEmpty {
        rules.append(.dropping(RuleFolding.patterns(of: dropped, among: names)))
      }
      var folding = RuleFolding(old.subtracting(dropped), sizes)
      for stage in found.stages { rules += folding.folded(stage) }
      sizes = folding.sizes
      let pieces = found.dropped.filter { !old.contains($0) }
      if !pieces.isEmpty { rules.append(.dropping(pieces)) }
      if !prefix.isEmpty, !found.said.isEmpty {
        var rule = WeightRules.Rule()
        (rule.from, rule.to) = (WeightRules.Names([prefix + "*"]), WeightRules.Names(["*"]))
        rules.append(rule)
      }
      return WeightRules(rules: rules)
    }

    private mutating func compare(
      _ made: [String: StoredTensor], _ b: [String: StoredTensor], _ observer: Observer
    ) throws(NetconvError) {
      for name in found.said {
        try observer.checkCancellation()
        guard let (own, other) = made[name].flatMap({ own in b[name].map { (own, $0) } }),
          (own.shape ?? [own.source.count]) == (other.shape ?? [other.source.count])
        else {
          wrong.append(.init(name: name, reason: .otherShape))
          continue
        }
        switch try ValueAgreement(own.source, other.source) {
        case .exact: break
        case .rounded: rounded.append(name)
        case .other: wrong.append(.init(name: name, reason: .otherValues))
        }
      }
    }
  }
}

extension WeightRules.Rule {
  fileprivate static func dropping(_ names: [String]) -> Self {
    var rule = Self()
    rule.drop = WeightRules.Names(names)
    return rule
  }
}

extension RuledTensors {
  /// Applies the rules of a document.
  fileprivate mutating func apply(_ document: WeightRules) throws(NetconvError) {
    for (index, rule) in document.rules.enumerated() {
      try apply(try RuleStep(rule), number: index + 1)
    }
  }
}

extension WeightsMap {
  /// Returns the map with the names that tensors have in their sources.
  fileprivate func named(
    _ a: [(name: String, stored: StoredTensor)], _ b: [(name: String, stored: StoredTensor)],
    _ containers: ContainerNames
  ) -> WeightsMap {
    let ofA = Dictionary(a.map { ($0.stored.path, $0.name) }) { first, _ in first }
    let ofB = Dictionary(b.map { (containers.name(ofPath: $0.stored.path), $0.name) }) {
      first, _ in first
    }
    var map = self
    map.unrelated = unrelated.map { ofB[$0] ?? $0 }
    map.tensors = tensors.map { made in
      var made = made
      made.name = ofB[made.name] ?? made.name
      made.parts = made.parts.map { part in
        var part = part
        part.of = part.of.map { ofA[$0] ?? $0 }
        return part
      }
      return made
    }
    return map
  }
}

extension NetconvError {
  fileprivate static func rulesNeedNames(_ path: String) -> NetconvError {
    NetconvError(
      .usage,
      "rules are for weights whose tensors have names of their own, as in a state dictionary; a map is for all"
    ).inFile(path)
  }

  fileprivate static func noRulesFit(_ names: [String]) -> NetconvError {
    NetconvError(
      .internal, "the rules that were found do not make \(names.prefix(12).quotedList)")
  }
}
