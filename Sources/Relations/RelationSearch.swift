import ModelIR
import Processor

/// The search for the relations of one set of tensors to another.
struct RelationSearch {
  let a: [RelatedTensor]
  let b: [RelatedTensor]
  let team: ThreadTeam
  let checkpoint: @Sendable () throws(NetconvError) -> Void
  let ofA: [Fingerprint]
  let ofB: [Fingerprint]
  /// The tensors of `a`, by the fingerprint of their changed values.
  private let index: [Likeness: [UInt64: [Int]]]
  var outcomes: [Int: Relation.Outcome] = [:]

  /// The limit on the candidates that are listed for tensors with equal values.
  private static let mostCandidates = 8
  /// The limit on the pairs of tensors that are compared slice by slice, which bounds the time for
  /// unrelated networks.
  private static let mostPairsOfSlices = 1 << 18

  init(
    _ a: [RelatedTensor], _ b: [RelatedTensor], _ team: ThreadTeam,
    _ checkpoint: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) {
    self.a = a
    self.team = team
    self.checkpoint = checkpoint
    ofB = try Fingerprint.all(of: b, team, checkpoint: checkpoint)
    self.b = zip(b, ofB).map { $0.narrowed(to: $1.narrowType) }
    let types = Set(self.b.map(\.valueType))
    ofA = try Fingerprint.all(of: a, narrowedTo: types, team, checkpoint: checkpoint)
    let fingerprints = ofA
    index = Dictionary(
      uniqueKeysWithValues: Likeness.allRoundings(for: types).map {
        likeness in
        (likeness, Dictionary(grouping: a.indices) { likeness.sum(of: fingerprints[$0]) })
      })
  }

  func relations(looksForInexact: Bool) throws(NetconvError) -> WeightRelations {
    var search = self
    try search.relateWhole()
    try search.relateByLines()
    try search.relateBySlices()
    // The second time fewer tensors are left that rows without a match may be those of.
    for _ in 0..<2 { try search.relateQuantized() }
    try search.relateByRows(exactly: true)
    if looksForInexact {
      try search.relateInexactly()
      try search.relateNearly()
      try search.relateByRows(exactly: false)
    }
    let movedSizes = try search.settleOrders()
    return try search.result(movedSizes: movedSizes)
  }

  // MARK: - Whole tensors

  /// Relates tensors with the same values as another in any order.
  private mutating func relateWhole() throws(NetconvError) {
    let search = self
    let found = try team.results(b.count) { index throws(NetconvError) in
      try search.checkpoint()
      return try search.outcome(of: index)
    }
    for (index, outcome) in found.enumerated() { outcomes[index] = outcome }
  }

  private func outcome(of index: Int) throws(NetconvError) -> Relation.Outcome? {
    if ofB[index].zeroCount == b[index].count, candidates(for: index, .exact).isEmpty {
      return .related([RelatedPart(source: nil)])
    }
    for likeness in Likeness.all(for: b[index].valueType) {
      let candidates = candidates(for: index, likeness)
      guard !candidates.isEmpty else { continue }
      if let outcome = try outcome(of: index, among: candidates, likeness) { return outcome }
    }
    return nil
  }

  /// The tensors with the same values up to their order.
  private func candidates(for place: Int, _ likeness: Likeness) -> [Int] {
    (index[likeness]?[ofB[place].sum] ?? []).filter { a[$0].count == b[place].count }
  }

  private func outcome(
    of index: Int, among candidates: [Int], _ likeness: Likeness
  ) throws(NetconvError) -> Relation.Outcome? {
    let named = candidates.prefix(Self.mostCandidates)
    if ofB[index].isConstant, !ofB[index].isWide, b[index].count > 1 || candidates.count > 1 {
      return .undetermined(
        .constant, named.map { RelatedPart(source: $0, likeness: likeness) })
    }
    var parts: [RelatedPart] = []
    for candidate in named {
      let search = try PairSearch(a[candidate], b[index], likeness)
      for rearrangement in try search.arrangements() {
        if ofB[index].isWide, try !search.fitsWide(rearrangement) { continue }
        let isRounded = ofA[candidate].isWide && !ofB[index].isWide
        parts.append(
          RelatedPart(
            source: candidate, rearrangement: rearrangement,
            likeness: isRounded ? .rounded(.float32) : likeness))
      }
    }
    guard let first = parts.first else { return nil }
    guard parts.count > 1 else { return .related(parts) }
    let isTied = parts.contains { $0.source != first.source }
    return .undetermined(isTied ? .tied : .symmetric, parts)
  }

  // MARK: - Lines

  /// Relates tensors that were concatenated or cut, or whose axes were merged or permuted.
  private mutating func relateByLines() throws(NetconvError) {
    // Lines hold float32 values, so they cannot tell apart values of higher precision.
    let wanted = Set(
      b.indices.filter { outcomes[$0] == nil && b[$0].count > 1 && !ofB[$0].isWide })
    guard !wanted.isEmpty, !a.isEmpty else { return }
    let anchors = try Anchors(of: b, wanted: wanted, in: a, team)
    for index in wanted.sorted() {
      try checkpoint()
      let lines = LineSearch(b[index], anchors.bases[index], anchors)
      for cutsZeros in [false, true] {
        guard let runs = lines.runs(cutsZeros: cutsZeros) else { continue }
        let parts =
          runs.count == 1
          ? try part(of: b[index], lines, in: runs[0].tensor, target: []).map { [$0] }
          : try parts(of: b[index], runs)
        guard let parts else { continue }
        outcomes[index] = .related(parts)
        break
      }
    }
  }

  /// The parts of a concatenation along an axis; `nil` unless all are known.
  private func parts(
    of tensor: RelatedTensor, _ runs: [LineSearch.Run]
  ) throws(NetconvError) -> [RelatedPart]? {
    guard let sections = try tensor.sections(of: runs) else { return nil }
    var parts: [RelatedPart] = []
    for (target, section, source) in sections {
      guard let source else {
        parts.append(RelatedPart(target: [target], source: nil))
        continue
      }
      guard !ofA[source].isWide else { return nil }
      if a[source].count == section.count {
        let found = try PairSearch(a[source], section, .exact).arrangements()
        guard found.count == 1 else { return nil }
        parts.append(
          RelatedPart(target: [target], source: source, rearrangement: found[0]))
        continue
      }
      let anchors = try Anchors(of: [section], wanted: [0], in: [a[source]], team)
      let lines = LineSearch(section, anchors.bases[0], anchors)
      guard let part = try part(of: section, lines, in: 0, named: source, target: [target]) else {
        return nil
      }
      parts.append(part)
    }
    return parts
  }

  /// A tensor, or a section of one, as a part of one other tensor according to its lines; `nil` if
  /// there is none.
  ///
  /// - Parameter owner: The number of the other tensor in the lines; `name` is its index in its
  ///   set, by default the same.
  private func part(
    of tensor: RelatedTensor, _ lines: LineSearch, in owner: Int?, named name: Int? = nil,
    target: [RelatedPart.Section]
  ) throws(NetconvError) -> RelatedPart? {
    guard let owner, let tables = lines.tables(in: owner) else { return nil }
    let index = name ?? owner
    let source = a[index]
    guard !ofA[index].isWide else { return nil }
    guard try tables.fits(source, tensor) else { return nil }
    if let (rearrangement, orders) = tables.rearrangement(of: source.shape, to: tensor.shape) {
      return RelatedPart(
        target: target, source: index, rearrangement: rearrangement, orders: orders)
    }
    let sections = tables.sections(of: source.shape)
    let cut = sections.reduce(source) { $0.section($1) }
    guard cut.count == tensor.count, !sections.isEmpty else { return nil }
    let found = try PairSearch(cut, tensor, .exact).arrangements()
    if found.count == 1 {
      return RelatedPart(
        target: target, source: index, sourceSections: sections, rearrangement: found[0])
    }
    guard found.isEmpty, let (move, orders) = try order(of: tensor, in: cut) else { return nil }
    return RelatedPart(
      target: target, source: index, sourceSections: sections, rearrangement: move, orders: orders)
  }

  /// The rearrangement of a whole tensor according to its lines; `nil` if there is none.
  private func order(
    of tensor: RelatedTensor, in source: RelatedTensor
  ) throws(NetconvError) -> (Rearrangement, orders: [Axis: [Int]])? {
    let anchors = try Anchors(of: [tensor], wanted: [0], in: [source], team)
    let lines = LineSearch(tensor, anchors.bases[0], anchors)
    guard let tables = lines.tables(in: 0), try tables.fits(source, tensor) else { return nil }
    return tables.rearrangement(of: source.shape, to: tensor.shape)
  }

  // MARK: - Slices

  /// Relates permuted tensors that were also cut, joined or rounded.
  private mutating func relateBySlices() throws(NetconvError) {
    let types = Set(b.map(\.valueType))
    for likeness in Likeness.allRoundings(for: types) {
      let left = b.indices.filter { index in
        outcomes[index] == nil && b[index].count > 1 && !ofB[index].isWide
          && Likeness.all(for: b[index].valueType).contains(likeness)
      }
      guard !left.isEmpty else { continue }
      // A tensor that was cut may be the source of further parts.
      let candidates = unusedAsWhole
      guard !candidates.isEmpty, candidates.count * left.count <= Self.mostPairsOfSlices else {
        continue
      }
      let search = try SliceSearch(candidates.map { a[$0] }, likeness)
      let found = try team.results(left.count) {
        [checkpoint, b] place throws(NetconvError) -> [RelatedPart]? in
        try checkpoint()
        return try search.parts(of: b[left[place]], among: Array(candidates.indices))
      }
      for (place, parts) in zip(left, found) {
        if let parts { outcomes[place] = .related(parts.map { $0.naming(candidates) }) }
      }
    }
  }

  // MARK: - Rounding

  /// Relates tensors that were computed: sums, multiples and folded normalisations.
  private mutating func relateInexactly() throws(NetconvError) {
    let left = b.indices.filter { outcomes[$0] == nil && b[$0].count > 1 }
    guard !left.isEmpty else { return }
    let search = try InexactSearch(
      a, b, lengths: Set(left.flatMap { b[$0].shape + [b[$0].count] }))
    let unused = spare
    let found = try team.results(left.count) {
      [checkpoint, b] place throws(NetconvError) -> [RelatedPart]? in
      try checkpoint()
      if let sum = try search.sum(b[left[place]]) { return [sum] }
      let parts = try search.scaled(left[place], among: unused)
      guard parts.isEmpty else { return parts }
      if let shifted = try search.shifted(left[place], among: unused) { return [shifted] }
      return try search.exponential(left[place], among: unused).map { [$0] }
    }
    for (place, parts) in zip(left, found) {
      if let parts { outcomes[place] = parts.outcome }
    }
    // Normalisations with the same factors give the same biases.
    var scales: [RelatedPart.Factors] = []
    for case .scaled(let scale)? in found.map({ $0?.first?.likeness })
    where scale.axis != nil && !scales.contains(scale) {
      scales.append(scale)
    }
    let open = left.filter { outcomes[$0] == nil }
    let all = scales
    let biases = try team.results(open.count) {
      [checkpoint, b] place throws(NetconvError) -> [[RelatedPart]] in
      try checkpoint()
      return try search.foldedBiases(b[open[place]], all)
    }
    for (place, parts) in zip(open, biases) where parts.count == 1 {
      outcomes[place] = parts[0].outcome
    }
  }

  // MARK: - Near matches

  /// Relates tensors that have nearly all their values from otherwise unused tensors.
  private mutating func relateNearly() throws(NetconvError) {
    let left = b.indices.filter { outcomes[$0] == nil && b[$0].count > 1 && !ofB[$0].isWide }
    let unused = spare.filter { !ofA[$0].isWide }
    guard !left.isEmpty, !unused.isEmpty else { return }
    let anchors = try Anchors(of: b, wanted: Set(left), in: a, team)
    let search = NearSearch(a)
    let found = try team.results(left.count) {
      [checkpoint, b] place throws(NetconvError) -> Relation.Outcome? in
      try checkpoint()
      let tensor = b[left[place]]
      let lines = LineSearch(tensor, anchors.bases[left[place]], anchors)
      let runs = lines.runs(cutsZeros: false) ?? []
      if runs.count > 1 { return try search.joined(tensor, runs) }
      // Lines identify the source unless too few values match; large tensors are not compared with
      // all others.
      let isSmall = tensor.count <= NearSearch.smallTensor
      return try search.whole(
        tensor, among: runs.first?.tensor.map { [$0] } ?? (isSmall ? unused : []))
    }
    for (place, outcome) in zip(left, found) {
      outcomes[place] = outcome
      guard case .nearly(let parts, _)? = outcome, b[place].canCompute(parts),
        let all = try b[place].discrepancy(from: parts, a)
      else { continue }
      outcomes[place] = .nearly(parts, all)
    }
  }

  // MARK: - Permutations

  /// Resolves the permutation of indices with equal values from other tensors.
  ///
  /// - Returns: The sizes of axes that are permuted in B.
  private mutating func settleOrders() throws(NetconvError) -> Set<Int> {
    let orders = try PlaceOrders(a, b, outcomes)
    for (index, outcome) in outcomes {
      try checkpoint()
      outcomes[index] = try orders.settled(outcome, of: index)
    }
    return orders.movedSizes
  }

  // MARK: - Unrelated tensors

  private func result(movedSizes: Set<Int>) throws(NetconvError) -> WeightRelations {
    let used = Set(outcomes.values.flatMap(\.sources))
    let left = b.indices.filter { outcomes[$0] == nil }
    let unused = try unnamed(used)
    let ofLeft = try NearestTensors(to: left, of: b, among: a, team)
    let ofUnused = try NearestTensors(to: unused, of: a, among: b, team)
    return WeightRelations(
      tensors: b.indices.map { index in
        Relation(tensor: index, outcome: outcomes[index] ?? .unrelated(nearest: ofLeft[index]))
      },
      unused: unused.map { ($0, ofUnused[$0]) }, movedSizes: movedSizes)
  }

  /// The tensors of `a` that were not used in `b`.
  ///
  /// If many have the same values and only some are listed as candidates, the others do not count
  /// as unused.
  private func unnamed(_ named: Set<Int>) throws(NetconvError) -> [Int] {
    var used = named
    for index in b.indices {
      guard case .undetermined(_, let parts)? = outcomes[index],
        parts.count >= Self.mostCandidates, let likeness = parts.first?.likeness
      else { continue }
      for candidate in candidates(for: index, likeness) where !used.contains(candidate) {
        if !ofB[index].isConstant {
          let search = try PairSearch(a[candidate], b[index], likeness)
          guard try !search.arrangements().isEmpty else { continue }
        }
        used.insert(candidate)
      }
    }
    // A bias of zeros leaves no trace in a folded normalisation.
    let folded = Set(
      outcomes.flatMap { index, outcome in
        outcome.parts.contains { part in
          if case .folded(let bias) = part.likeness { bias.bias == nil } else { false }
        } ? [b[index].count] : []
      })
    return a.indices.filter { index in
      !used.contains(index)
        && !(folded.contains(a[index].count) && ofA[index].zeroCount == a[index].count)
    }
  }
}

extension Relation.Outcome {
  /// The source tensors of all parts.
  var sources: [Int] { parts.flatMap(\.sources) }

  /// The parts or candidates.
  var parts: [RelatedPart] {
    switch self {
    case .related(let parts), .undetermined(_, let parts), .nearly(let parts, _): parts
    case .unrelated: []
    }
  }
}

extension [RelatedPart] {
  /// The outcome if one of these parts explains all values.
  fileprivate var outcome: Relation.Outcome {
    count == 1 ? .related(self) : .undetermined(.tied, self)
  }
}
