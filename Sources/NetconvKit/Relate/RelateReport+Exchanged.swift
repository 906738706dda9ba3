import ModelIR
import Relations
import Transforms

extension RelateReport.Exchanged {
  /// The tensors of `a` that have each other's names in `b`; `nil` if none have.
  ///
  /// - Parameter asked: the consumer that was asked for, which may have other words for what a tensor is.
  init?(
    _ relations: WeightRelations, from a: [Tensor], to b: [Tensor], for asked: Target?
  ) {
    let homes = Homes(of: a, in: b, for: asked)
    var sources: [Int: Int] = [:]
    for relation in relations.tensors {
      guard let part = relation.outcome.singlePart, part.addend == nil, part.copy != nil,
        let source = part.source
      else { continue }
      sources[relation.tensor] = source
    }
    var seen: Set<Int> = []
    var cycles: [[Pair]] = []
    for start in b.indices where !seen.contains(start) {
      var path: [Int] = []
      var next: Int? = start
      while let place = next, seen.insert(place).inserted {
        path.append(place)
        next = sources[place].flatMap { homes.places[$0] }
      }
      guard let first = next.flatMap(path.firstIndex(of:)), path.count - first > 1 else { continue }
      // Each has the name of the one before it.
      cycles.append(
        path[first...].compactMap { place in
          sources[place].map { Pair(a: a[$0].calledName, b: b[place].calledName) }
        }.reversed())
    }
    guard !cycles.isEmpty else { return nil }
    self.init(cycles: cycles, isMistake: asked != nil || homes.places.count == b.count)
  }

  /// `'q' of A is 'k' in B, and 'k' is 'q'; 'v' …`.
  var sentence: String { cycles.prefix(3).map(\.words).joined(separator: "; ") + "." }
}

extension [RelateReport.Exchanged.Pair] {
  /// `'q' of A is 'k' in B, and 'k' is 'q'`.
  package var words: String {
    enumerated().map { place, tensor in
      "\(quoted(tensor.a))\(place == 0 ? " of A" : "") is \(quoted(tensor.b))\(place == 0 ? " in B" : "")"
    }.joined(separator: ", and ")
  }
}

/// Which tensor of B has the name of which of A.
private struct Homes {
  /// The places in B, by those in A.
  private(set) var places: [Int: Int] = [:]

  init(of a: [Tensor], in b: [Tensor], for asked: Target?) {
    add(a.map(\.calledName), b.map(\.calledName))
    add(a.map(\.ownKey), b.map(\.ownKey))
    if places.isEmpty {
      add(Self.withoutPrefix(a.map(\.ownKey)), Self.withoutPrefix(b.map(\.ownKey)))
    }
    guard let asked else { return }
    add(a.map { "\($0.layer).\(asked.names.roles[$0.spec.role] ?? "")" }, b.map(\.calledName))
  }

  /// Adds those that have the same name, and none of them another already.
  private mutating func add(_ a: [String], _ b: [String]) {
    var named = Dictionary(
      zip(b, b.indices), uniquingKeysWith: { first, _ in first })
    let taken = Set(places.values)
    named = named.filter { !taken.contains($0.value) }
    for (place, name) in a.enumerated() where places[place] == nil {
      places[place] = named.removeValue(forKey: name)
    }
  }

  /// Names without the modules that all of them are in.
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
  /// What its source calls it.
  fileprivate var calledName: String { stored.name ?? ownKey }

  /// The layer, and what it is in it.
  fileprivate var ownKey: String { "\(layer) \(spec.role.rawValue)" }
}
