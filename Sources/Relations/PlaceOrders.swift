import ModelIR

/// The permutations of axes, determined from whole tensors and sections.
///
/// Indices with equal values do not determine a permutation. It is then taken from axes of the same
/// size in the layer's other tensors, or left undetermined.
struct PlaceOrders {
  private let a: [RelatedTensor]
  private let b: [RelatedTensor]
  /// The permutations for each size of an axis, with the positions of the axis.
  private var known: [Int: Set<Known>] = [:]
  /// The sizes of axes that are permuted in B.
  private(set) var movedSizes: Set<Int> = []

  private struct Known: Hashable {
    let position: MovedPiece.Position
    let order: [Int]
  }

  /// Collects the permutations of tensors whose indices all have distinct values.
  ///
  /// - Throws: An error if the values cannot be read.
  init(
    _ a: [RelatedTensor], _ b: [RelatedTensor], _ outcomes: [Int: Relation.Outcome]
  ) throws(NetconvError) {
    self.a = a
    self.b = b
    for (index, outcome) in outcomes {
      guard case .related(let parts) = outcome else { continue }
      for part in parts {
        guard let piece = MovedPiece(part, a, b[index]), try !piece.hasRepeats() else { continue }
        // A vector with repeated values may have any permutation.
        if piece.isVector, part.orders.isEmpty {
          let values = try piece.target.bits()
          guard Set(values).count == values.count else { continue }
        }
        for order in piece.orders {
          known[order.count, default: []].insert(Known(position: piece.position, order: order))
          if order != Array(order.indices) {
            movedSizes.formUnion([order.count] + piece.sizesOfCutAxes)
          }
        }
      }
    }
  }

  /// Resolves the outcome for a tensor of B by the permutations of other tensors.
  ///
  /// - Throws: An error if the values cannot be read.
  func settled(
    _ outcome: Relation.Outcome, of index: Int
  ) throws(NetconvError) -> Relation.Outcome {
    switch outcome {
    case .related(let parts) where parts.count == 1:
      guard let piece = MovedPiece(parts[0], a, b[index]) else { return outcome }
      return try settlement(of: piece, isSure: parts[0].orders.isEmpty).outcome(parts[0])
    case .related(let parts):
      var isOpen = false
      let settled = try parts.map { part throws(NetconvError) -> RelatedPart in
        guard let piece = MovedPiece(part, a, b[index]) else { return part }
        switch try settlement(of: piece, isSure: part.orders.isEmpty) {
        case .asFound: return part
        case .order(let part): return part
        case .open:
          isOpen = true
          return part
        }
      }
      return isOpen ? .undetermined(.orders, settled) : .related(settled)
    case .undetermined(.symmetric, let parts):
      guard Set(parts.map(\.source)).count == 1, let piece = MovedPiece(parts[0], a, b[index])
      else { return outcome }
      switch try settlement(of: piece, isSure: true, knowsOrder: false) {
      case .asFound: return outcome
      case let settlement: return settlement.outcome(parts[0])
      }
    case .undetermined(.constant, let parts):
      // All permutations give the same values.
      let moved = parts.map { part -> RelatedPart in
        guard part.rearrangement == nil, let piece = MovedPiece(part, a, b[index]),
          piece.source.shape == piece.target.shape, piece.isVector,
          case let orders = orders(at: piece.position, piece.target.count), orders.count == 1
        else { return part }
        return piece.part(in: orders[0]) ?? part
      }
      return .undetermined(.constant, moved)
    case .undetermined, .nearly, .unrelated: return outcome
    }
  }

  /// The result of comparing a piece's permutation with those of other tensors.
  private enum Settlement {
    /// The values determine the permutation, or no other tensor contradicts it.
    case asFound
    /// Another permutation.
    case order(RelatedPart)
    /// Several permutations, or none that is certain.
    case open([RelatedPart])

    /// The outcome for a tensor of one part.
    func outcome(_ part: RelatedPart) -> Relation.Outcome {
      switch self {
      case .asFound: .related([part])
      case .order(let part): .related([part])
      case .open(let parts) where parts.count > 1: .undetermined(.symmetric, parts)
      case .open: .undetermined(.orders, [part])
      }
    }
  }

  /// - Parameters:
  ///   - isSure: True if whole axes were rearranged, which is kept unless another tensor
  ///     contradicts it.
  ///   - knowsOrder: True if the piece was found in one permutation only.
  private func settlement(
    of piece: MovedPiece, isSure: Bool, knowsOrder: Bool = true
  ) throws(NetconvError) -> Settlement {
    guard piece.isVector else {
      if isSure {
        return try piece.fits(others: { self.orders(at: piece.position, $0) })
          ? .open([]) : .asFound
      }
      return try piece.hasRepeats() ? .open([]) : .asFound
    }
    let known = orders(at: piece.position, piece.target.count)
    let own = knowsOrder ? piece.orders.first : nil
    // Most vectors agree with their layer, so their values need not be read again.
    if isSure, known.isEmpty || known == [own] { return .asFound }
    let to = try piece.target.bits()
    guard Set(to).count < to.count else { return .asFound }
    let from = try piece.source.bits().map(piece.part.likeness.apply)
    let orders = known.filter { order in zip(to, order).allSatisfy { $0 == from[$1] } }
    if orders.count == 1 {
      if orders[0] == own { return .asFound }
      return piece.part(in: orders[0]).map { .order($0) } ?? .asFound
    }
    let candidates = orders.compactMap(piece.part(in:))
    if candidates.count > 1 { return .open(candidates) }
    return isSure ? .asFound : .open([])
  }

  /// The permutations of axes of size `count` elsewhere in the layer; those at the same position in
  /// fused tensors, if any are known.
  private func orders(at position: MovedPiece.Position, _ count: Int) -> [[Int]] {
    let ofLayer = (known[count] ?? []).filter { $0.position.layer == position.layer }
    let ofPlaces = ofLayer.filter { $0.position == position }
    return Set((ofPlaces.isEmpty ? ofLayer : ofPlaces).map(\.order))
      .sorted { $0.lexicographicallyPrecedes($1) }
  }
}
