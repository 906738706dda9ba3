import ModelIR
import Relations

/// A tensor with its content hash, which is computed when it is first needed.
struct HashedTensor {
  let tensor: Tensor
  var hash: String?
  /// How many of its values are not finite; known with the hash.
  var nonFinite = 0

  /// What tells it from the others of its network.
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

/// Which tensor of one network is which of another.
struct TensorPairing {
  /// Tensors that both have, in the order of the first.
  private(set) var pairs: [(a: HashedTensor, b: HashedTensor)] = []
  /// Tensors of the first that the second does not have.
  private(set) var onlyInA: [HashedTensor] = []
  /// Tensors of the second that the first does not have.
  private(set) var onlyInB: [HashedTensor] = []
  /// How tensors of the second were moved that were found by their values, in einops notation.
  private(set) var moves: [TensorKey: String] = [:]

  /// Pairs tensors by layer and role; then those that are left by their values, as ``Netconv/relate(_:observer:)``
  /// does, where these tell; then, of layers that this has brought together, the rest by role.
  ///
  /// - Throws: what reading the values throws, with the path.
  init(_ a: DiffSide, _ b: DiffSide, _ observer: Observer) throws(NetconvError) {
    let tensors = a.network.tensors
    var byKey: [TensorKey: HashedTensor] = [:]
    onlyInB = b.network.tensors.map { HashedTensor(tensor: $0) }
    for tensor in onlyInB { byKey[tensor.key] = tensor }
    for tensor in tensors.map({ HashedTensor(tensor: $0) }) {
      if let other = byKey.removeValue(forKey: tensor.key) {
        pairs.append((tensor, other))
      } else {
        onlyInA.append(tensor)
      }
    }
    onlyInB.removeAll { byKey[$0.key] == nil }
    guard !onlyInA.isEmpty, !onlyInB.isEmpty else { return }
    try pairByValues(observer)
    pairByRole()
    let order = Dictionary(
      uniqueKeysWithValues: tensors.enumerated().map {
        ($1.key, $0)
      })
    pairs.sort { order[$0.a.key] ?? 0 < order[$1.a.key] ?? 0 }
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
      // A tensor that has become several is none of them.
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

  /// Takes out the second biases of recurrent layers that are zeros where the other network has none, as targets want
  /// them: both compute the same.
  ///
  /// - Returns: those of the first and of the second.
  /// - Throws: what reading the values throws, with the path.
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

  /// The layers of the first whose tensors are all of the same layer of the second, and nobody else's.
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
  /// The whole tensor whose values these are, but for rounding to a type; `nil` if it may be another.
  fileprivate var onlyPart: RelatedPart? {
    switch self {
    case .related(let parts), .undetermined(_, let parts):
      guard parts.count == 1, parts[0].copy != nil || parts[0].rearrangement == nil else {
        return nil
      }
      switch parts[0].likeness {
      case .exact, .rounded: return parts[0]
      case .negated, .scaled, .folded: return nil
      }
    case .unrelated: return nil
    }
  }
}
