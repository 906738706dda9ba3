import ModelIR

extension RelateReport {
  /// The tensors of B that can be compared with siblings, by their index: of each shape there are at least three.
  static func siblings(in entries: [Entry]) -> Set<Int> {
    Set(Odd.groups(of: entries).joined().map(\.place))
  }
}

extension RelateReport.Odd {
  /// Returns the tensors of B that were made otherwise than their siblings, whose names differ in numbers alone.
  ///
  /// Only siblings of one shape whose values determine where they came from are compared, at least three of them.
  static func all(in entries: [RelateReport.Entry]) -> [RelateReport.Odd] {
    let takers = Set(
      entries.filter { $0.status == .related }.flatMap(\.parts).compactMap(\.source?.name))
    let odd = groups(of: entries).flatMap { members in
      let group = Group(members)
      return group.movedOtherwise() + group.takenFromElsewhere(takers)
    }
    var seen: Set<Int> = []
    // Of several families, the one with most siblings speaks.
    return odd.sorted { ($0.place, $1.odd.siblings) < ($1.place, $0.odd.siblings) }.filter {
      seen.insert($0.place).inserted
    }.map(\.odd)
  }

  /// The siblings of one shape, at least three.
  fileprivate static func groups(of entries: [RelateReport.Entry]) -> [[Member]] {
    var groups: [Group.Key: [Member]] = [:]
    for (place, entry) in entries.enumerated() where entry.status == .related {
      for name in NumberedName(entry.tensor.name).families {
        groups[Group.Key(entry, name), default: []].append(Member(entry, place, name))
      }
    }
    return groups.values.filter { $0.count >= Group.leastCount }
  }

  /// Text such as `'layers.7.k' = 'h.7.k', as it is; 31 siblings: (h t d) i -> (h d t) i, h=4, t=2`.
  package var words: String {
    "\(quoted(name)): \(found); \(siblings) of \(siblings + others) siblings: \(expected)"
  }
}

/// A tensor of B among its siblings.
private struct Member {
  let place: Int
  let entry: RelateReport.Entry
  let name: NumberedName
  /// The names of the tensors that the parts came from; `nil` for zeros.
  let sources: [NumberedName?]

  init(_ entry: RelateReport.Entry, _ place: Int, _ name: NumberedName) {
    self.place = place
    self.entry = entry
    self.name = name
    sources = entry.parts.map { $0.source.map { NumberedName($0.name) } }
  }

  /// Returns the way in which values were moved.
  ///
  /// - Parameter number: the index of the number in the name that selects the section of the sources, as where layers are
  ///   stacked; `nil` if the section is the same for all siblings.
  func motion(by number: Int?) -> Motion {
    Motion(
      parts: entry.parts.map { part in
        Motion.Part(
          pattern: part.pattern, sizes: part.sizes, reversed: part.reversed, orders: part.orders,
          hasAddend: part.addend != nil, change: part.kindOfChange,
          to: part.to.map { [$0.axis, $0.start, $0.end, $0.step] },
          from: part.from.map { section in
            let length = section.end - section.start
            return [
              section.axis, section.start - (number.map { name.numbers[$0] * length } ?? 0), length,
              section.step,
            ]
          })
      })
  }

  /// Returns the difference between a number of a source and one of the tensor.
  func offset(_ part: Int, _ number: Int, from own: Int?) -> Int? {
    sources[part].map { $0.numbers[number] - (own.map { name.numbers[$0] } ?? 0) }
  }
}

/// The way in which the values of a tensor were moved, whatever tensors they came from.
private struct Motion: Hashable {
  struct Part: Hashable {
    let pattern: String?
    let sizes: [String: Int]
    let reversed: [String]
    let orders: [String: [Int]]
    let hasAddend: Bool
    let change: String?
    let to: [[Int]]
    let from: [[Int]]
  }

  let parts: [Part]
}

extension RelateReport.Part {
  /// The kind of change of the values; `nil` for none, and for rounding, which depends on the values.
  fileprivate var kindOfChange: String? {
    guard let change,
      ["negated", "times ", "with ", "as -exp"].contains(where: change.hasPrefix)
    else { return nil }
    if change.hasPrefix("with the lengths of ") { return "lengths" }
    return change.hasPrefix("times '") ? "folded" : change
  }
}

/// Siblings of one shape.
private struct Group {
  /// The properties that all tensors of a group share.
  struct Key: Hashable {
    let template: String
    let shape: [Int]
    let sourceShapes: [[Int]]

    init(_ entry: RelateReport.Entry, _ name: NumberedName) {
      template = name.template
      shape = entry.tensor.shape
      sourceShapes = entry.parts.map { $0.source?.shape ?? [] }
    }
  }

  /// The number of siblings below which none can be told to be the odd one.
  static let leastCount = 3

  typealias Found = (place: Int, odd: RelateReport.Odd)

  let members: [Member]

  init(_ members: [Member]) {
    self.members = members.sorted { $0.name.numbers.lexicographicallyPrecedes($1.name.numbers) }
  }

  private var numbers: Range<Int> { 0..<(members.first?.name.numbers.count ?? 0) }

  /// The siblings whose values were moved in another way than those of most.
  func movedOtherwise() -> [Found] {
    let choices: [[Motion]] = ([nil] + numbers.map(Optional.some)).map { number in
      members.map { $0.motion(by: number) }
    }
    guard let (motions, usual) = Self.mostCommon(choices) else { return [] }
    let model = members[motions.firstIndex(of: usual) ?? 0]
    return exceptions(motions, from: usual).map { index in
      found(
        index, expected: model.entry.words(withSources: false),
        obeying: motions.count { $0 == usual })
    }
  }

  /// The siblings that came from the tensor of another sibling.
  ///
  /// - Parameter takers: the names of all tensors of A that a tensor of B came from.
  func takenFromElsewhere(_ takers: Set<String>) -> [Found] {
    var found: [Found] = []
    for part in members[0].sources.indices {
      let templates = members.map { $0.sources[part]?.template }
      guard let (_, template) = Self.mostCommon([templates]), let template else { continue }
      let alike = members.indices.filter { templates[$0] == template }
      guard let first = alike.first, let model = members[first].sources[part] else { continue }
      var rule: [(own: Int?, offset: Int)] = []
      for number in model.numbers.indices {
        // The same number of the tensor first, so that it is preferred where others fit as well.
        let owns = [numbers.contains(number) ? number : nil].compactMap(\.self) + numbers
        let choices = (owns.map(Optional.some) + [nil]).map { own in
          alike.map { members[$0].offset(part, number, from: own) }
        }
        guard let (offsets, usual) = Self.mostCommon(choices), let usual,
          let choice = choices.firstIndex(of: offsets)
        else { return [] }
        rule.append((choice < owns.count ? owns[choice] : nil, usual))
      }
      let expected = members.map { member in
        NumberedName.name(
          template, rule.map { ($0.own.map { member.name.numbers[$0] } ?? 0) + $0.offset })
      }
      let wrong = members.indices.filter { index in
        members[index].entry.parts[part].source.map { $0.name != expected[index] } ?? false
          && takers.contains(expected[index])
      }
      guard wrong.count * 3 <= members.count else { continue }
      found += wrong.map { index in
        self.found(
          index, expected: "\(quoted(expected[index])), by the numbers of their names",
          obeying: members.count - wrong.count)
      }
    }
    return found
  }

  private func found(_ index: Int, expected: String, obeying: Int) -> Found {
    let member = members[index]
    return (
      member.place,
      RelateReport.Odd(
        name: member.entry.tensor.name, found: member.entry.words(withSources: true),
        expected: expected, siblings: obeying, others: members.count - obeying)
    )
  }

  /// Returns the members that differ from `usual`, unless they follow a rule of their own: the first or last ones, or one
  /// in every so many.
  private func exceptions(_ motions: [Motion], from usual: Motion) -> [Int] {
    let others = motions.indices.filter { motions[$0] != usual }
    guard others.count > 1, Set(others.map { motions[$0] }).count == 1 else { return others }
    let isAtEnd =
      others == Array(0..<others.count)
      || others == Array(motions.count - others.count..<motions.count)
    let step = others[1] - others[0]
    let isPeriodic =
      step > 1
      && others == Array(stride(from: others[0] % step, to: motions.count, by: step))
    return isAtEnd || isPeriodic ? [] : others
  }

  /// Returns the choice in which most members agree, and the value in which they do; `nil` unless two thirds agree.
  private static func mostCommon<Value: Hashable>(
    _ choices: [[Value]]
  ) -> (values: [Value], usual: Value)? {
    var best: (values: [Value], usual: Value, count: Int)?
    for values in choices {
      let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
      // The first of equals, whatever the order of the dictionary.
      guard let most = counts.values.max(), let usual = values.first(where: { counts[$0] == most })
      else { continue }
      if most > best?.count ?? 0 { best = (values, usual, most) }
    }
    guard let best, best.count * 3 >= best.values.count * 2 else { return nil }
    return (best.values, best.usual)
  }
}

extension RelateReport.Entry {
  /// Returns a description of the parts: `'h.7.k', as it is`.
  fileprivate func words(withSources: Bool) -> String {
    let texts = parts.map { part in
      let source = withSources ? part.source.map { quoted($0.name) + ", " } ?? "" : ""
      return source + part.summary + (part.change.map { ", " + $0 } ?? "")
    }
    return texts.count > 4
      ? texts.prefix(4).joined(separator: " + ") + " + …" : texts.joined(separator: " + ")
  }
}
