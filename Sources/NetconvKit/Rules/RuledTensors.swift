import Documents
import ModelIR
import Readers
import Relations

/// The tensors of a source while rules are applied to them.
struct RuledTensors {
  /// A tensor under its present name.
  struct Entry {
    var name: String
    var stored: StoredTensor
    /// The names in the source of the tensors that it is made from.
    var origins: [String]
    /// True if a rule applied to it.
    var isTouched = false
    /// True if a rule moved its values, so that it no longer has the layout that its name suggests.
    var isMoved = false
  }

  /// The maximum length of a name in bytes: substitutions can double it each time.
  private static var longestName: Int { 4096 }

  private(set) var entries: [Entry]
  private(set) var rows: [RulesReport.Row] = []
  let sizes: RuleSizes
  let cache = RelatedValues()
  var made = 0

  init(_ tensors: [(name: String, stored: StoredTensor)], sizes: RuleSizes) {
    entries = tensors.map { Entry(name: $0.name, stored: $0.stored, origins: [$0.name]) }
    self.sizes = sizes
  }

  /// Applies a step.
  ///
  /// - Parameters:
  ///   - number: the number of the rule in its file; `nil` if it is in none.
  ///   - isOptional: true if the step may match nothing.
  /// - Throws: `usage` if it matches nothing, or its patterns or sizes do not fit the tensors; `badData` if the sizes
  ///   overflow.
  mutating func apply(
    _ step: RuleStep, number: Int? = nil, isOptional: Bool = false
  ) throws(NetconvError) {
    let matches: [Match]
    switch step {
    case .rename(let substitution): matches = try renamed(by: substitution, isOptional)
    case .drop(let patterns): matches = try dropped(patterns, isOptional)
    case .make(let making): matches = try self.matches(of: making, isOptional)
    }
    var new: [Int: [Entry]] = [:]
    var taken: Set<Int> = []
    for match in matches {
      for source in match.sources {
        guard taken.insert(source).inserted else { throw .takenTwice(entries[source].name) }
      }
      new[match.sources[0]] = match.made
    }
    rows.append(
      RulesReport.Row(
        number,
        matches.map { match in
          .init(from: match.sources.map { entries[$0].name }, to: match.made.map(\.name))
        }))
    entries = entries.indices.flatMap { index in
      new[index] ?? (taken.contains(index) ? [] : [entries[index]])
    }
    try checkNames()
  }

  /// Tensors that a step takes, and those that it makes of them.
  private struct Match {
    let sources: [Int]
    let made: [Entry]
  }

  private func checkNames() throws(NetconvError) {
    var places: [String: Int] = [:]
    for (place, entry) in entries.enumerated() {
      guard !entry.name.isEmpty else { throw .leavesNoName(entry.origins) }
      guard entry.name.utf8.count <= Self.longestName else { throw .nameTooLong(entry.origins) }
      if let other = places.updateValue(place, forKey: entry.name) {
        throw .writtenTwice(entry.name, entries[other].origins, entry.origins)
      }
    }
  }

  private func renamed(
    by substitution: NameSubstitution, _ isOptional: Bool
  ) throws(NetconvError) -> [Match] {
    let found = substitution.applied(to: entries.map(\.name))
    let matches = zip(entries.indices, found).compactMap { index, name in
      name.map { Match(sources: [index], made: [entries[index].called($0)]) }
    }
    guard isOptional || !matches.isEmpty else {
      throw .matchesNothing(substitution.description, entries)
    }
    return matches
  }

  private func dropped(
    _ patterns: [NamePattern], _ isOptional: Bool
  ) throws(NetconvError) -> [Match] {
    var dropped: Set<Int> = []
    for pattern in patterns {
      let found = entries.indices.filter { pattern.captures(in: entries[$0].name) != nil }
      guard isOptional || !found.isEmpty else { throw .matchesNothing(pattern.text, entries) }
      dropped.formUnion(found)
    }
    return dropped.sorted().map { Match(sources: [$0], made: []) }
  }

  // MARK: - Making

  private mutating func matches(
    of making: RuleStep.Making, _ isOptional: Bool
  ) throws(NetconvError) -> [Match] {
    let captured = entries.indices.compactMap { index in
      making.from[0].captures(in: entries[index].name).map { (index, $0) }
    }
    guard isOptional || !captured.isEmpty else {
      throw .matchesNothing(making.from[0].text, entries)
    }
    if case .stack(let word) = making.shape {
      return try stacks(captured, by: word, making)
    }
    let places = Dictionary(
      entries.indices.map { (entries[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    var matches: [Match] = []
    for (index, captures) in captured {
      var sources = [index]
      for pattern in making.from.dropFirst() {
        let name = pattern.name(captures) ?? ""
        guard let place = places[name] else { throw .noPartner(name, of: entries[index].name) }
        sources.append(place)
      }
      matches.append(
        Match(sources: sources, made: try made(of: sources, captures, making)))
    }
    let taken = Set(matches.flatMap(\.sources))
    for pattern in making.from.dropFirst() {
      for index in entries.indices
      where !taken.contains(index) && pattern.captures(in: entries[index].name) != nil {
        throw .noPartner(making.from[0].text, of: entries[index].name)
      }
    }
    return matches
  }

  private mutating func stacks(
    _ captured: [(index: Int, captures: NamePattern.Captures)], by word: String,
    _ making: RuleStep.Making
  ) throws(NetconvError) -> [Match] {
    var order: [NamePattern.Captures] = []
    var groups: [NamePattern.Captures: [Int: Int]] = [:]
    for (index, captures) in captured {
      guard let text = captures[word], let number = Int(text), String(number) == text, number >= 0
      else { throw .noNumber(word, in: entries[index].name) }
      var rest = captures
      rest[word] = nil
      if groups[rest] == nil { order.append(rest) }
      groups[rest, default: [:]][number] = index
    }
    var matches: [Match] = []
    for rest in order {
      let group = groups[rest] ?? [:]
      var sources: [Int] = []
      for number in 0..<group.count {
        guard let index = group[number] else {
          throw .missingNumber(number, of: making.from[0].text)
        }
        sources.append(index)
      }
      matches.append(Match(sources: sources, made: try made(of: sources, rest, making)))
    }
    return matches
  }

  private mutating func made(
    of sources: [Int], _ captures: NamePattern.Captures, _ making: RuleStep.Making
  ) throws(NetconvError) -> [Entry] {
    let taken = sources.map { entries[$0] }
    do throws(NetconvError) {
      switch making.shape {
      case .one:
        return [try changed(taken[0], making).called(making.to[0].name(captures))]
      case .join(let axis, let parts):
        let pieces = try taken.map { entry throws(NetconvError) in try changed(entry, making) }
        return [
          try joined(pieces, along: axis, parts).called(making.to[0].name(captures))
        ]
      case .stack:
        let pieces = try taken.map { entry throws(NetconvError) in try changed(entry, making) }
        return [try stacked(pieces).called(making.to[0].name(captures))]
      case .split(let axis, let parts):
        return try zip(try split(taken[0], along: axis, parts), making.to)
          .map { piece, name throws(NetconvError) in
            try changed(piece, making).called(name.name(captures))
          }
      case .unstack(let word):
        return try unstacked(taken[0]).enumerated()
          .map { number, piece throws(NetconvError) in
            var captures = captures
            captures[word] = "\(number)"
            return try changed(piece, making).called(making.to[0].name(captures))
          }
      }
    } catch {
      throw error.inTensor(taken.map(\.name).joined(separator: ", "))
    }
  }

  /// Returns the tensor rearranged and with its factor and addend applied.
  private mutating func changed(
    _ entry: Entry, _ making: RuleStep.Making
  ) throws(NetconvError) -> Entry {
    var entry = entry
    entry.isTouched = true
    if let pattern = making.pattern {
      var sizes: [String: Int] = [:]
      for (axis, size) in making.sizes { sizes[axis] = try self.sizes.value(size) }
      entry = try moved(
        entry, by: Rearrangement(pattern: pattern, sizes: sizes, of: entry.shape))
    }
    if making.factor != 1 || making.addend != 0 {
      entry.stored.source = AffineValues(
        source: entry.stored.source, factor: making.factor, addend: making.addend)
      entry.stored.kind = nil
    }
    return entry
  }
}

extension RuledTensors.Entry {
  var shape: [Int] { stored.shape ?? [stored.source.count] }

  fileprivate func called(_ name: String?) -> Self {
    var entry = self
    entry.name = name ?? ""
    entry.stored.name = name
    entry.isTouched = true
    return entry
  }
}

/// Values times a factor, plus a number.
private struct AffineValues: GatheringSource {
  let source: any TensorSource
  let factor: Double
  let addend: Double

  var elementType: ElementType { .float32 }
  var count: Int { source.count }
  var isSequential: Bool { source.isSequential }

  func gather<Value: StreamedValue>(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Value>
  ) throws(NetconvError) {
    try Value.read(source, range, into: values)
    for index in values.indices.prefix(range.count) {
      values[index] = Value(Double(values[index]) * factor + addend)
    }
  }
}

extension NetconvError {
  fileprivate static func matchesNothing(
    _ pattern: String, _ entries: [RuledTensors.Entry]
  ) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(pattern)) matches no tensor; there are \(SourceNote.list(entries.map(\.name)))")
  }

  fileprivate static func takenTwice(_ name: String) -> NetconvError {
    NetconvError(.usage, "takes \(quoted(name)) for two tensors; a pattern matches it twice")
  }

  fileprivate static func leavesNoName(_ origins: [String]) -> NetconvError {
    NetconvError(.usage, "leaves nothing of the name of \(origins.quotedList)")
  }

  fileprivate static func nameTooLong(_ origins: [String]) -> NetconvError {
    NetconvError(.usage, "makes a name of more than 4096 bytes from \(SourceNote.list(origins))")
  }

  fileprivate static func writtenTwice(
    _ name: String, _ first: [String], _ second: [String]
  ) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(name)) is made twice: from \(SourceNote.list(first)), and from \(SourceNote.list(second))"
    )
  }

  fileprivate static func noPartner(_ partner: String, of name: String) -> NetconvError {
    NetconvError(
      .usage, "\(quoted(name)) needs \(quoted(partner)) beside it, and there is no such tensor")
  }

  fileprivate static func noNumber(_ word: String, in name: String) -> NetconvError {
    NetconvError(.usage, "{\(word)} is not an index from 0 on in \(quoted(name))")
  }

  fileprivate static func missingNumber(_ number: Int, of pattern: String) -> NetconvError {
    NetconvError(.usage, "the tensors that \(quoted(pattern)) matches lack number \(number)")
  }
}
