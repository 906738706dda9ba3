import ModelIR

// Tensors that share rows with others, and quantised ones.
extension RelationSearch {
  /// A tensor of more parts may be made of a few that are in turns.
  private static let manyParts = 8

  /// Relates tensors by the rows that they share with others; unless `exactly`, some values may differ.
  mutating func relateByRows(exactly: Bool) throws(NetconvError) {
    for likeness in Likeness.allRoundings(for: Set(b.map(\.valueType))) {
      let left = b.indices.filter { index in
        (outcomes[index].map { $0.parts.count > Self.manyParts } ?? true)
          && !ofB[index].isWide && b[index].grid == nil
          && Likeness.all(for: b[index].valueType).contains(likeness)
      }
      let candidates = unusedAsWhole
      guard !left.isEmpty, !candidates.isEmpty else { continue }
      let search = try RowSearch(
        a, candidates, lengths: Set(left.flatMap { RowSearch.lengths(of: b[$0]) }), likeness, team)
      let spare = spare
      let found = try team.results(left.count) {
        [checkpoint, b] place throws(NetconvError) -> Relation.Outcome? in
        try checkpoint()
        return try search.outcome(of: b[left[place]], sparing: spare)
      }
      for (place, outcome) in zip(left, found) {
        switch outcome {
        case .related(let parts)? where parts.count < outcomes[place]?.parts.count ?? .max:
          outcomes[place] = outcome
        case .nearly? where !exactly && outcomes[place] == nil: outcomes[place] = outcome
        default: break
        }
      }
    }
  }

  /// Relates quantised tensors to those that they may have been made from.
  mutating func relateQuantized() throws(NetconvError) {
    let left = b.indices.filter {
      outcomes[$0] == nil && QuantizedSearch.rowLength(of: b[$0]) != nil
    }
    // Of tensors with the same values, rows are searched in one.
    let twins = Dictionary(grouping: unusedAsWhole) { ofA[$0].sum &+ UInt64(a[$0].count) }
    let candidates = twins.values.compactMap(\.first).sorted()
    guard !left.isEmpty, !candidates.isEmpty else { return }
    let search = try QuantizedSearch(
      a, candidates, lengths: Set(left.compactMap { QuantizedSearch.rowLength(of: b[$0]) }), team)
    let spare = spare
    let found = try team.results(left.count) {
      [checkpoint, b] place throws(NetconvError) -> Relation.Outcome? in
      try checkpoint()
      return try search.outcome(of: b[left[place]], sparing: spare)
    }
    for (place, outcome) in zip(left, found) {
      outcomes[place] = outcome
      guard case .related(let parts)? = outcome, parts.count == 1, let source = parts[0].source,
        let others = twins.values.first(where: { $0.contains(source) }), others.count > 1
      else { continue }
      outcomes[place] = .undetermined(.tied, others.map { parts[0].of($0) })
    }
  }

  /// The tensors of `a` that no tensor has come from.
  var spare: [Int] {
    let used = Set(outcomes.values.flatMap(\.sources))
    return a.indices.filter { !used.contains($0) }
  }

  /// The tensors of `a` of which others may have come from sections at most.
  var unusedAsWhole: [Int] {
    let used = Set(
      outcomes.values.flatMap(\.parts).filter(\.sourceSections.isEmpty).flatMap(\.sources))
    return a.indices.filter { !used.contains($0) && !ofA[$0].isWide && a[$0].count > 1 }
  }
}
