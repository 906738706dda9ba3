import Documents

/// The rules that make the tensors of B from those of A, as a map of their relations has them.
struct FoundRules {
  /// A tensor that no rule makes.
  struct Unsaid: Hashable {
    let name: String
    let reason: Reason
  }

  /// The stages of rules, in the order in which they apply.
  private(set) var stages: [[FoundRule]] = []
  private(set) var unsaid: [Unsaid] = []
  /// The tensors of A that are left out.
  private(set) var dropped: [String] = []
  /// The tensors of B that rules make.
  var said: [String] { kept.map(\.name) }
  /// Tensors of B with the prefix of their names while rules apply.
  private let prefix: String
  private var kept: [WeightsMap.Made] = []

  /// Finds the rules.
  ///
  /// - Parameters:
  ///   - map: the map, with the tensors' own names.
  ///   - names: the names of all tensors of A.
  ///   - excluded: tensors of B that rules cannot make, with the reasons.
  ///   - prefix: a text in front of the names of B's tensors until all are made, so that none is taken for one of A.
  init(_ map: WeightsMap, of names: [String], excluding excluded: [Unsaid], prefix: String) {
    self.prefix = prefix
    unsaid = excluded + map.unrelated.map { Unsaid(name: $0, reason: .unrelated) }
    let known = Set(excluded.map(\.name))
    for made in map.tensors where !known.contains(made.name) {
      if let reason = Reason(made) {
        unsaid.append(Unsaid(name: made.name, reason: reason))
      } else {
        kept.append(made)
      }
    }
    leaveOutRepeated()
    let uses = SourceUses(kept)
    dropped = names.filter { !uses.isUsed($0) }
    make(uses)
  }

  /// Leaves out tensors that need a source which an earlier tensor has taken already.
  private mutating func leaveOutRepeated() {
    var uses = SourceUses([])
    kept = kept.filter { made in
      guard let repeated = uses.firstRepeated(by: made) else {
        uses.add(made)
        return true
      }
      unsaid.append(Unsaid(name: made.name, reason: .repeated(repeated)))
      return false
    }
  }

  private mutating func make(_ uses: SourceUses) {
    var splits: [FoundRule] = []
    var pieces: [FoundRule] = []
    var last: [FoundRule] = []
    var names = PieceNames(prefix: prefix)
    for source in uses.split {
      let split = names.split(source, uses)
      splits.append(split.rule)
      dropped += split.unused
    }
    for made in kept {
      let taken = made.parts.map { names.piece($0, of: made) }
      let motions = made.parts.map(FoundRule.Motion.init)
      let name = prefix + made.name
      if made.parts.count == 1 {
        // A split has moved the tensor already.
        let motion = names.isMoved(made) ? FoundRule.Motion() : motions[0]
        last.append(FoundRule(shape: .one, from: taken, to: [name], motion: motion))
      } else if let stack = Self.stack(taken, motions, to: name, made) {
        last.append(stack)
      } else {
        let isShared = Set(motions).count == 1
        if !isShared {
          pieces += zip(taken, motions).filter { !$1.isIdentity }.map {
            FoundRule(shape: .one, from: [$0], to: [$0], motion: $1)
          }
        }
        last.append(
          FoundRule(
            shape: .join(axis: made.parts[0].to?[0].axis ?? 0), from: taken, to: [name],
            motion: isShared ? motions[0] : FoundRule.Motion(),
            parts: made.parts.map { $0.to.map { $0[0].end - $0[0].start } ?? 0 }))
      }
    }
    stages = [splits, pieces, last].map { stage in stage.filter { !$0.isIdentity } }
  }

  /// Returns the stack of whole tensors that one number in their names counts; `nil` if they are none.
  private static func stack(
    _ taken: [String], _ motions: [FoundRule.Motion], to name: String, _ made: WeightsMap.Made
  ) -> FoundRule? {
    guard made.parts.allSatisfy({ $0.to?[0].axis == 0 && $0.to?[0].length == 1 }),
      Set(motions).count == 1, let motion = motions[0].unstacked,
      let counted = CountedNames(taken)
    else { return nil }
    return FoundRule(
      shape: .stack, from: [counted.name], to: [name], motion: motion, count: taken.count)
  }
}

extension WeightsMap.Section {
  var length: Int { end - start }
}

/// Names that count from 0 on in one number.
struct CountedNames {
  /// The name with ``FoundRule/counter`` instead of the number.
  let name: String

  init?(_ names: [String]) {
    let numbered = names.map(NumberedName.init)
    guard let first = numbered.first, numbered.count > 1,
      numbered.allSatisfy({ $0.template == first.template }),
      zip(names, numbered).allSatisfy({ $0 == NumberedName.name($1.template, $1.numbers) })
    else { return nil }
    let counting = first.numbers.indices.filter { index in
      numbered.enumerated().allSatisfy { $0 == $1.numbers[index] }
    }
    guard let place = counting.first, counting.count == 1,
      numbered.allSatisfy({ other in
        first.numbers.indices.allSatisfy { $0 == place || other.numbers[$0] == first.numbers[$0] }
      })
    else { return nil }
    name = first.filled { $0 == place ? FoundRule.counter : "\(first.numbers[$0])" }
  }
}
