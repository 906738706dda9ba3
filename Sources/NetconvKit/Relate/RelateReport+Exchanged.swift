import ModelIR
import Relations
import Transforms

extension RelateReport.Exchanged {
  /// The tensors of `a` whose names are exchanged in `b`; `nil` if there are none.
  ///
  /// - Parameter asked: the requested consumer, which may have other names for roles.
  init?(
    _ relations: WeightRelations, from a: [Tensor], to b: [Tensor], for asked: Target?
  ) {
    var sources: [Int: Int] = [:]
    for relation in relations.tensors {
      guard let part = relation.outcome.singlePart, part.addend == nil, part.copy != nil,
        let source = part.source
      else { continue }
      sources[relation.tensor] = source
    }
    let homes = Homes(of: a, in: b, for: asked, sources)
    var seen: Set<Int> = []
    var cycles: [[Pair]] = []
    var isMistake = asked != nil || homes.isComplete
    for start in b.indices where !seen.contains(start) {
      var path: [Int] = []
      var next: Int? = start
      while let place = next, seen.insert(place).inserted {
        path.append(place)
        next = sources[place].flatMap { homes.places[$0] }
      }
      guard let first = next.flatMap(path.firstIndex(of:)), path.count - first > 1 else { continue }
      isMistake =
        isMistake || path[first...].allSatisfy { sources[$0].map(homes.siblings.contains) ?? false }
      // Each has the name of the previous one.
      cycles.append(
        path[first...].compactMap { place in
          sources[place].map { Pair(a: a[$0].calledName, b: b[place].calledName) }
        }.reversed())
    }
    guard !cycles.isEmpty else { return nil }
    self.init(cycles: cycles, isMistake: isMistake)
  }

  /// Text such as `'q' of A is 'k' in B, and 'k' is 'q'; 'v' …`.
  var sentence: String { cycles.prefix(3).map(\.words).joined(separator: "; ") + "." }
}

extension [RelateReport.Exchanged.Pair] {
  /// Text such as `'q' of A is 'k' in B, and 'k' is 'q'`.
  package var words: String {
    enumerated().map { place, tensor in
      "\(quoted(tensor.a))\(place == 0 ? " of A" : "") is \(quoted(tensor.b))\(place == 0 ? " in B" : "")"
    }.joined(separator: ", and ")
  }
}

/// The tensors of B that have the names of tensors of A.
private struct Homes {
  /// Indices in B by indices in A.
  private(set) var places: [Int: Int] = [:]
  /// True if all tensors of B have names of A.
  private(set) var isComplete = false
  /// The indices in A of tensors that are matched by a single word of their names: `q` of `q_proj`, `query` and
  /// `key`.
  private(set) var siblings: Set<Int> = []

  /// - Parameter sources: for tensors of B, the tensor of A that has the same values.
  init(of a: [Tensor], in b: [Tensor], for asked: Target?, _ sources: [Int: Int]) {
    addNames(of: a, in: b, for: asked)
    isComplete = places.count == b.count
    guard !isComplete else { return }
    let taken = Set(places.values)
    let images = Dictionary(grouping: sources.keys) { sources[$0] ?? 0 }
      .compactMapValues { $0.count == 1 ? $0.first : nil }
    let alike = SiblingNames(a.map(\.calledName), b.map(\.calledName), images: images).homes
    for (place, home) in alike where places[place] == nil && !taken.contains(home) {
      places[place] = home
      siblings.insert(place)
    }
  }

  private mutating func addNames(of a: [Tensor], in b: [Tensor], for asked: Target?) {
    add(a.map(\.calledName), b.map(\.calledName))
    add(a.map(\.ownKey), b.map(\.ownKey))
    if places.isEmpty {
      add(Self.withoutPrefix(a.map(\.ownKey)), Self.withoutPrefix(b.map(\.ownKey)))
    }
    if let asked { return add(words(of: asked, for: a), b.map(\.calledName)) }
    // If all names match those of a target, they may be its names, although it was not requested.
    for target in Target.all where places.count < b.count {
      var others = self
      others.add(words(of: target, for: a), b.map(\.calledName))
      if others.places.count == b.count { self = others }
    }
  }

  /// Returns the names that a target has for the tensors.
  private func words(of target: Target, for tensors: [Tensor]) -> [String] {
    tensors.map { "\($0.layer).\(target.names.roles[$0.spec.role] ?? "")" }
  }

  /// Matches tensors with equal names, unless they are matched already.
  private mutating func add(_ a: [String], _ b: [String]) {
    var named = Dictionary(
      zip(b, b.indices), uniquingKeysWith: { first, _ in first })
    let taken = Set(places.values)
    named = named.filter { !taken.contains($0.value) }
    for (place, name) in a.enumerated() where places[place] == nil {
      places[place] = named.removeValue(forKey: name)
    }
  }

  /// Returns names without the modules that all of them share.
  private static func withoutPrefix(_ names: [String]) -> [String] {
    let parts = names.map { $0.split(whereSeparator: { "./".contains($0) }) }
    guard var shared = parts.first?.dropLast() else { return names }
    for parts in parts {
      shared = shared.prefix(zip(shared, parts.dropLast()).prefix { $0 == $1 }.count)
    }
    return parts.map { $0.dropFirst(shared.count).joined(separator: ".") }
  }
}

extension Tensor {
  /// The name of the tensor in its source.
  var calledName: String { stored.name ?? ownKey }

  /// The layer and the role.
  fileprivate var ownKey: String { "\(layer) \(spec.role.rawValue)" }
}
