import ModelIR
import Relations
import Transforms

/// A tensor with its content hash, which is computed on first use.
struct HashedTensor {
  let tensor: Tensor
  /// The name in its file.
  let name: String
  var hash: String?
  /// The number of values that are not finite; known once the hash is.
  var nonFinite = 0

  /// The key that identifies it in its network.
  var key: TensorKey { tensor.key }

  /// Computes the hash unless it is known.
  mutating func computeHash(_ observer: Observer) throws(NetconvError) -> String {
    if let hash { return hash }
    let content = try tensor.content { () throws(NetconvError) in try observer.checkCancellation() }
    hash = content.hash
    nonFinite = content.nonFinite
    return content.hash
  }
}

extension DiffSide {
  /// The tensors, without hashes.
  var tensors: [HashedTensor] {
    network.tensors.map { HashedTensor(tensor: $0, name: names.name(of: $0)) }
  }
}

/// The pairs of corresponding tensors of two networks.
struct TensorPairing {
  /// Tensors that both networks have, in the order of the first.
  private(set) var pairs: [(a: HashedTensor, b: HashedTensor)] = []
  /// Tensors that only the first network has.
  private(set) var onlyInA: [HashedTensor] = []
  /// Tensors that only the second network has.
  private(set) var onlyInB: [HashedTensor] = []
  /// The rearrangements of tensors of the second network that were paired by their values, in einops notation.
  private(set) var moves: [TensorKey: String] = [:]

  /// Pairs tensors by their names in files, then by layer and role, then by values.
  ///
  /// If both have a graph, it identifies tensors, and names in files do not count, because some formats number
  /// layers. Values are matched as in ``Netconv/relate(_:observer:)``; the other tensors of layers that they match
  /// are paired by role.
  /// - Throws: any error from reading the values, with the path.
  init(_ a: DiffSide, _ b: DiffSide, _ observer: Observer) throws(NetconvError) {
    onlyInA = a.tensors
    onlyInB = b.tensors
    let order = Dictionary(uniqueKeysWithValues: onlyInA.enumerated().map { ($1.key, $0) })
    if a.model == nil || b.model == nil { pair(by: \.name) }
    pair(by: \.key)
    if !onlyInA.isEmpty, !onlyInB.isEmpty {
      try pairByValues(observer)
      pairByRole()
    }
    pairs.sort { order[$0.a.key] ?? 0 < order[$1.a.key] ?? 0 }
  }

  /// Pairs tensors that have the same value of `mark`, if it is unique in each network.
  private mutating func pair<Mark: Hashable>(by mark: KeyPath<HashedTensor, Mark>) {
    var others = Dictionary(grouping: onlyInB) { $0[keyPath: mark] }
    let own = Dictionary(grouping: onlyInA) { $0[keyPath: mark] }
    var left: [HashedTensor] = []
    for tensor in onlyInA {
      let name = tensor[keyPath: mark]
      if own[name]?.count == 1, let found = others[name], found.count == 1 {
        pairs.append((tensor, found[0]))
        others[name] = nil
      } else {
        left.append(tensor)
      }
    }
    let paired = Set(pairs.map(\.b.key))
    onlyInA = left
    onlyInB.removeAll { paired.contains($0.key) }
  }

  private mutating func pairByValues(_ observer: Observer) throws(NetconvError) {
    let (ofA, ofB) = (onlyInA, onlyInB)
    let relations = try WeightRelations.find(
      ofA.map { RelatedTensor($0.tensor) }, ofB.map { RelatedTensor($0.tensor) },
      looksForInexact: false
    ) { () throws(NetconvError) in
      try observer.checkCancellation()
    }
    let found = relations.tensors.compactMap { relation in
      relation.outcome.onlyPart.map { (tensor: relation.tensor, part: $0) }
    }
    let uses = Dictionary(grouping: found) { $0.part.source }
    for (tensor, part) in found {
      // A tensor that was split into several is paired with none of them.
      guard let source = part.source, uses[source]?.count == 1 else { continue }
      pair(ofA[source], ofB[tensor])
      moves[ofB[tensor].key] = part.rearrangement?.pattern
    }
  }

  private mutating func pairByRole() {
    for (layer, other) in layers {
      for tensor in onlyInA where tensor.tensor.layer == layer {
        let role = tensor.tensor.spec.role
        if let match = onlyInB.first(where: {
          $0.tensor.layer == other && $0.tensor.spec.role == role
        }) {
          pair(tensor, match)
        }
      }
    }
  }

  /// Adds the two biases of a recurrent layer, as targets expect them, if the other network has a single one.
  ///
  /// - Returns: the layers of the first and of the second network whose biases were added.
  /// - Throws: any error from reading the values, with the path.
  mutating func addBiases(
    _ a: DiffSide, _ b: DiffSide
  ) throws(NetconvError) -> (a: [String], b: [String]) {
    let (ofA, ofB) = (Self.secondBiases(among: onlyInA), Self.secondBiases(among: onlyInB))
    var summed: (a: [String], b: [String]) = ([], [])
    guard !ofA.isEmpty || !ofB.isEmpty else { return summed }
    let counterparts = layers
    for index in pairs.indices {
      let (layer, other) = (pairs[index].a.tensor.layer, pairs[index].b.tensor.layer)
      guard counterparts[layer] == other else { continue }
      switch (ofA[layer], ofB[other]) {
      case (let second?, nil):
        if try Self.move(second, from: &onlyInA, into: &pairs[index].a, a.path) {
          summed.a.append(layer)
        }
      case (nil, let second?):
        if try Self.move(second, from: &onlyInB, into: &pairs[index].b, b.path) {
          summed.b.append(other)
        }
      default: continue
      }
    }
    return summed
  }

  /// Returns the second biases among `tensors`, by layer.
  private static func secondBiases(among tensors: [HashedTensor]) -> [String: HashedTensor] {
    Dictionary(
      tensors.filter { $0.tensor.spec.isAddedBias }.map { ($0.tensor.layer, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Adds a second bias that is not all zeros to the first, and removes it from `tensors`.
  ///
  /// - Returns: false if `first` is not a first bias to which it can be added.
  /// - Throws: any error from reading the values, with the path.
  private static func move(
    _ second: HashedTensor, from tensors: inout [HashedTensor], into first: inout HashedTensor,
    _ path: String
  ) throws(NetconvError) -> Bool {
    guard [.bias, .inputBias].contains(first.tensor.spec.role) else { return false }
    do throws(NetconvError) {
      guard let sum = try first.tensor.adding(second.tensor), try !second.tensor.isZero() else {
        return false
      }
      first = HashedTensor(tensor: sum, name: "\(first.name) + \(second.name)")
    } catch {
      throw error.inFile(path)
    }
    tensors.removeAll { $0.key == second.key }
    return true
  }

  /// Removes second biases of recurrent layers that are all zeros if the other network has none, since the results
  /// are equal.
  ///
  /// - Returns: the removed biases of the first and of the second network.
  /// - Throws: any error from reading the values, with the path.
  mutating func removeZeroBiases(
    _ a: DiffSide, _ b: DiffSide
  ) throws(NetconvError) -> (a: [Tensor], b: [Tensor]) {
    let layers = layers
    let inA = try Self.zeroBiases(in: onlyInA, ofLayers: Set(layers.keys), a.path)
    let inB = try Self.zeroBiases(in: onlyInB, ofLayers: Set(layers.values), b.path)
    onlyInA.removeAll { tensor in inA.contains { $0.key == tensor.key } }
    onlyInB.removeAll { tensor in inB.contains { $0.key == tensor.key } }
    return (inA, inB)
  }

  private static func zeroBiases(
    in tensors: [HashedTensor], ofLayers layers: Set<String>, _ path: String
  ) throws(NetconvError) -> [Tensor] {
    var found: [Tensor] = []
    for tensor in tensors.map(\.tensor)
    where tensor.spec.role == .recurrentBias && layers.contains(tensor.layer) {
      do throws(NetconvError) {
        if try tensor.isZero() { found.append(tensor) }
      } catch {
        throw error.inFile(path)
      }
    }
    return found
  }

  private mutating func pair(_ a: HashedTensor, _ b: HashedTensor) {
    pairs.append((a, b))
    onlyInA.removeAll { $0.key == a.key }
    onlyInB.removeAll { $0.key == b.key }
  }

  /// The layers of the first network whose tensors all correspond to a single layer of the second, which has no
  /// others.
  var layers: [String: String] {
    let byA = Dictionary(grouping: pairs) { $0.a.tensor.layer }
    let byB = Dictionary(grouping: pairs) { $0.b.tensor.layer }
    return byA.compactMapValues { pairs in
      let others = Set(pairs.map(\.b.tensor.layer))
      guard others.count == 1, let other = others.first,
        Set(byB[other, default: []].map(\.a.tensor.layer)).count == 1
      else { return nil }
      return other
    }
  }
}

extension Relation.Outcome {
  /// The single whole tensor that these values come from, up to rounding to a type; `nil` if it is not certain.
  fileprivate var onlyPart: RelatedPart? {
    switch self {
    case .related(let parts), .undetermined(_, let parts):
      guard parts.count == 1, parts[0].addend == nil,
        parts[0].copy != nil || parts[0].rearrangement == nil
      else { return nil }
      switch parts[0].likeness {
      case .exact, .rounded, .truncated: return parts[0]
      case .negated, .scaled, .shifted, .negatedExponential, .quantized, .folded:
        return nil
      }
    case .nearly, .unrelated: return nil
    }
  }
}
