import Documents

/// The parts of each tensor of A that tensors of B are made of.
struct SourceUses {
  /// A part of a tensor, and the tensor of B that it is for.
  struct Use {
    let made: WeightsMap.Made
    let part: WeightsMap.Part
  }

  private var uses: [String: [Use]] = [:]
  private var order: [String] = []

  init(_ made: [WeightsMap.Made]) {
    for tensor in made { add(tensor) }
  }

  mutating func add(_ made: WeightsMap.Made) {
    for part in made.parts {
      guard let name = part.of else { continue }
      if uses[name] == nil { order.append(name) }
      uses[name, default: []].append(Use(made: made, part: part))
    }
  }

  func isUsed(_ name: String) -> Bool { uses[name] != nil }

  /// The tensors that are split, in the order of their first use.
  var split: [String] { order.filter { uses[$0]?[0].part.from != nil } }

  /// The uses of a tensor that is split, in the order of the axis.
  func sections(of name: String) -> [Use] {
    (uses[name] ?? []).sorted { ($0.part.from?[0].start ?? 0) < ($1.part.from?[0].start ?? 0) }
  }

  /// Returns the tensor of A that a tensor needs although it, or a part of it, is used already; `nil` if there is none.
  func firstRepeated(by made: WeightsMap.Made) -> String? {
    var all = self
    for part in made.parts {
      guard let name = part.of else { continue }
      for use in all.uses[name] ?? [] {
        guard let old = use.part.from?.first, let new = part.from?.first, old.axis == new.axis,
          old.end <= new.start || new.end <= old.start
        else { return name }
      }
      all.uses[name, default: []].append(Use(made: made, part: part))
    }
    return nil
  }
}

/// The names of tensors between those of A and of B.
struct PieceNames {
  private let prefix: String
  /// The name of a piece by the tensor of A and its first index.
  private var pieces: [String: [Int: String]] = [:]
  /// The tensors of B whose values a split has moved.
  private var moved: Set<String> = []

  init(prefix: String) { self.prefix = prefix }

  /// Returns the name of a part of `made` before it is joined to others.
  func piece(_ part: WeightsMap.Part, of made: WeightsMap.Made) -> String {
    guard let name = part.of else { return "" }
    guard let section = part.from?.first else { return name }
    return pieces[name]?[section.start] ?? name
  }

  /// Returns true if the split that made a tensor moved its values too.
  func isMoved(_ made: WeightsMap.Made) -> Bool { moved.contains(made.name) }

  /// Returns the rule that takes a tensor apart, and the names of its parts that nothing needs.
  mutating func split(_ name: String, _ uses: SourceUses) -> (rule: FoundRule, unused: [String]) {
    let sections = uses.sections(of: name)
    let axis = sections[0].part.from?[0].axis ?? 0
    let length = sections[0].part.shape?[axis] ?? 0
    var (to, parts, unused): ([String], [Int], [String]) = ([], [], [])
    var end = 0
    func gap(to start: Int) {
      guard start > end else { return }
      unused.append("\(name).unused.\(end)")
      to.append("\(name).unused.\(end)")
      parts.append(start - end)
    }
    for use in sections {
      guard let section = use.part.from?.first else { continue }
      gap(to: section.start)
      let piece =
        use.made.parts.count == 1 ? prefix + use.made.name : "\(name).part.\(section.start)"
      pieces[name, default: [:]][section.start] = piece
      to.append(piece)
      parts.append(section.length)
      end = section.end
    }
    gap(to: length)
    let motions = Set(sections.map { FoundRule.Motion($0.part) })
    let isShared = motions.count == 1 && sections.allSatisfy { $0.made.parts.count == 1 }
    var rule = FoundRule(shape: .split(axis: axis), from: [name], to: to, parts: parts)
    guard isShared, let motion = motions.first else { return (rule, unused) }
    moved.formUnion(sections.map(\.made.name))
    if axis == 0, unused.isEmpty, parts.allSatisfy({ $0 == 1 }), let own = motion.ofStacked,
      let counted = CountedNames(to)
    {
      rule = FoundRule(
        shape: .unstack, from: [name], to: [counted.name], motion: own, count: to.count)
    } else {
      rule.motion = motion
    }
    return (rule, unused)
  }
}
