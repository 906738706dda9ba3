import Documents
import ModelIR
import Readers
import Relations

extension WeightsMap {
  /// Creates the rules that make tensors of B from those of A.
  ///
  /// If values do not determine a rule, names decide if they leave one choice. Tensors of a layer of B come from
  /// the layer of A that its other tensors come from, and roles from the roles that they come from elsewhere.
  init(_ relations: WeightRelations, from a: ReadSource, to b: ReadSource) {
    let writer = MapWriter(relations, a.network.tensors, b)
    self.init(
      tensors: writer.tensors, unrelated: writer.unrelated,
      unused: relations.unused.map { a.network.tensors[$0.tensor].stored.path })
  }
}

private struct MapWriter {
  private(set) var tensors: [WeightsMap.Made] = []
  /// Tensors of B without a rule.
  private(set) var unrelated: [String] = []
  private let a: [Tensor]

  /// One of several rules that values allow, and the tensor that it reads.
  private struct Candidate {
    let source: Int?
    let rule: WeightsMap.Part
    /// True if the order along the axes is known.
    let hasOrder: Bool
  }
  /// Pairs of a layer of A and a layer of B that comes from it, and the same for roles.
  private let layers: Set<[String]>
  private let roles: Set<[String]>

  init(_ relations: WeightRelations, _ a: [Tensor], _ b: ReadSource) {
    self.a = a
    let ofB = b.network.tensors
    let names = ContainerNames(b)
    var (layers, roles): (Set<[String]>, Set<[String]>) = ([], [])
    for relation in relations.tensors {
      guard let source = relation.outcome.singlePart?.source else { continue }
      let (from, to) = (a[source], ofB[relation.tensor])
      layers.insert([from.layer, to.layer])
      roles.insert([from.spec.role.rawValue, to.spec.role.rawValue])
    }
    self.layers = layers
    self.roles = roles
    for relation in relations.tensors {
      let tensor = ofB[relation.tensor]
      let name = names.name(of: tensor)
      let made = { (parts: [WeightsMap.Part], candidates: [WeightsMap.Part]?) in
        WeightsMap.Made(
          name: name, shape: tensor.storedShape,
          dtype: tensor.stored.source.elementType.rawValue, parts: parts, candidates: candidates)
      }
      switch relation.outcome {
      case .related(let parts):
        if let rules = rules(for: parts, of: tensor) {
          tensors.append(made(rules, nil))
        } else {
          unrelated.append(name)
        }
      case .undetermined(.orders, let parts), .nearly(let parts, _):
        if let rules = rules(for: parts, of: tensor) {
          tensors.append(made([], rules))
        } else {
          unrelated.append(name)
        }
      case .undetermined(let why, let parts):
        let all = parts.compactMap { part in
          rule(for: part, of: tensor).map {
            Candidate(source: part.source, rule: $0, hasOrder: part.rearrangement != nil)
          }
        }
        let left = namedAlike(all, as: tensor)
        let rules = left.map(\.rule)
        if rules.isEmpty {
          unrelated.append(name)
        } else if rules.count == 1, !isOpen(left[0], why, relations.movedSizes) {
          tensors.append(made(rules, nil))
        } else {
          tensors.append(made([], rules))
        }
      case .unrelated: unrelated.append(name)
      }
    }
  }

  /// True if the only remaining rule may have an order that the values do not reveal.
  private func isOpen(
    _ candidate: Candidate, _ why: Ambiguity, _ movedSizes: Set<Int>
  ) -> Bool {
    why == .constant && !candidate.hasOrder
      && !movedSizes.isDisjoint(with: (candidate.rule.shape ?? []).filter { $0 > 1 })
  }

  /// Returns the rules for all parts of a tensor; `nil` unless each has one.
  private func rules(for parts: [RelatedPart], of tensor: Tensor) -> [WeightsMap.Part]? {
    let rules = parts.compactMap { part($0, of: tensor) }
    return rules.count == parts.count ? rules : nil
  }

  /// Returns the candidates that names allow: all of them if names do not decide.
  private func namedAlike(_ candidates: [Candidate], as tensor: Tensor) -> [Candidate] {
    var left = candidates
    for pairs in [
      { (source: Tensor) in layers.contains([source.layer, tensor.layer]) },
      { (source: Tensor) in
        roles.contains([source.spec.role.rawValue, tensor.spec.role.rawValue])
      },
    ] {
      let fitting = left.filter { $0.source.map { pairs(a[$0]) } ?? false }
      if !fitting.isEmpty { left = fitting }
    }
    return left
  }

  /// Returns the rule of a candidate, if it is unambiguous.
  private func rule(for part: RelatedPart, of tensor: Tensor) -> WeightsMap.Part? {
    guard part.rearrangement == nil, let source = part.source else {
      return self.part(part, of: tensor)
    }
    // Equal values do not determine an order, but arrays of the same shape have no reason to be rearranged.
    guard a[source].storedShape == tensor.storedShape else { return nil }
    let layout = a[source].storedLayout
    let same = try? Rearrangement(from: layout, to: layout, sizes: a[source].spec.sizes)
    return self.part(RelatedPart(source: source, rearrangement: same), of: tensor)
  }

  /// Returns a part as a rule; `nil` if it has factors that no tensor of A provides.
  private func part(_ part: RelatedPart, of tensor: Tensor) -> WeightsMap.Part? {
    var rule = WeightsMap.Part(to: part.target.isEmpty ? nil : part.target.map(Self.section))
    guard let source = part.source else { return rule }
    rule.of = a[source].stored.path
    rule.shape = a[source].storedShape
    if !part.sourceSections.isEmpty { rule.from = part.sourceSections.map(Self.section) }
    if let move = part.rearrangement,
      !move.copy.isIdentity || !part.orders.isEmpty || isReshaped(move)
    {
      rule.pattern = move.pattern
      if !move.patternSizes.isEmpty { rule.sizes = move.patternSizes }
      if !move.reversed.isEmpty { rule.reversed = move.reversedNames }
      if !part.orders.isEmpty { rule.orders = part.namedOrders }
    }
    rule.plus = part.addend.map { a[$0].stored.path }
    switch part.likeness {
    case .exact, .quantized: break
    case .negatedExponential: return nil
    case .rounded(let type):
      let stored = tensor.stored.source.elementType
      if type != stored, type == .float16 || type == .bfloat16 { rule.rounded = type.rawValue }
    case .truncated(let type): rule.truncated = type.rawValue
    case .negated: rule.factor = -1
    case .shifted(let number): rule.offset = number
    case .scaled(let scale) where scale.isRounding: break
    case .scaled(let scale):
      if scale.axis == nil {
        rule.factor = scale.values[0]
      } else {
        guard let folded = scale.normalization else { return nil }
        rule.normalization = normalization(folded, axis: scale.axis)
      }
    case .folded(let bias):
      guard let folded = bias.normalization else { return nil }
      rule.normalization = normalization(folded)
      rule.normalization?.mean = a[bias.mean].stored.path
      rule.normalization?.bias = bias.bias.map { a[$0].stored.path }
    }
    return rule
  }

  private func isReshaped(_ move: Rearrangement) -> Bool {
    move.source.dimensions != move.target.dimensions
  }

  private func normalization(
    _ folded: RelatedPart.FoldedNormalization, axis: Int? = nil
  ) -> WeightsMap.FoldedNormalization {
    WeightsMap.FoldedNormalization(
      gamma: a[folded.gamma].stored.path, variance: a[folded.variance].stored.path,
      epsilon: folded.epsilon, axis: axis)
  }

  private static func section(_ section: RelatedPart.Section) -> WeightsMap.Section {
    WeightsMap.Section(
      axis: section.axis, start: section.range.lowerBound, end: section.range.upperBound,
      step: section.step == 1 ? nil : section.step)
  }
}
