import ModelIR

/// In which order the places of axes are, as whole tensors tell it.
///
/// Where places have the same values, values do not tell their order: then the order is that in which the other tensors
/// of the layer have an axis of the same size, or it is not told.
struct PlaceOrders {
  private let a: [RelatedTensor]
  private let b: [RelatedTensor]
  /// For each size of an axis: the layer of A, and for each place the one that it came from.
  private var known: [Int: Set<Known>] = [:]

  /// Longer ones are of tables of words, whose places nobody moves.
  private static let longestAxis = 1 << 20

  private struct Known: Hashable {
    let layer: String
    let order: [Int]

    var isIdentity: Bool { order == Array(order.indices) }
  }

  /// The sizes of axes whose places have another order in B than in A.
  var movedSizes: Set<Int> {
    Set(known.filter { $0.value.contains { !$0.isIdentity } }.keys)
  }

  /// What the tensors tell of which each place has values of its own.
  ///
  /// - Throws: what reading the values throws.
  init(
    _ a: [RelatedTensor], _ b: [RelatedTensor], _ outcomes: [Int: Relation.Outcome]
  ) throws(NetconvError) {
    self.a = a
    self.b = b
    for (index, outcome) in outcomes {
      guard case .related(let parts) = outcome, parts.count == 1, let source = parts[0].source,
        parts[0].copy != nil, try !hasRepeats(parts[0], in: b[index])
      else { continue }
      // Without an order of its own, a vector with equal values may have any.
      if Self.isVector(b[index]), parts[0].orders.isEmpty {
        let values = try bits(of: b[index])
        guard Set(values).count == values.count else { continue }
      }
      let layer = Self.layer(of: a[source].name)
      for order in orders(of: parts[0], to: index) {
        known[order.count, default: []].insert(Known(layer: layer, order: order))
      }
    }
  }

  /// What is known of a tensor of B, where others tell the order of its places.
  ///
  /// - Throws: what reading the values throws.
  func settled(
    _ outcome: Relation.Outcome, of index: Int
  ) throws(NetconvError) -> Relation.Outcome {
    switch outcome {
    case .related(let parts):
      guard parts.count == 1, parts[0].copy != nil else { return outcome }
      return try settled(parts, of: index, isSure: parts[0].orders.isEmpty) ?? outcome
    case .undetermined(.symmetric, let parts):
      guard Set(parts.map(\.source)).count == 1, parts.allSatisfy({ $0.copy != nil }) else {
        return outcome
      }
      return try settled(parts, of: index, isSure: true) ?? outcome
    case .undetermined(.constant, let parts):
      // All orders give the same values.
      let moved = parts.map { part -> RelatedPart in
        guard part.rearrangement == nil, let source = part.source,
          a[source].shape == b[index].shape, Self.isVector(b[index]),
          case let orders = ordersOfLayer(of: source, b[index].count), orders.count == 1
        else { return part }
        return self.part(part, orders[0], of: index) ?? part
      }
      return .undetermined(.constant, moved)
    case .undetermined, .unrelated: return outcome
    }
  }

  /// - Parameter isSure: whether the order is that of whole axes, which stays where nobody says otherwise.
  /// - Returns: `nil` if the values tell the order, or nobody says otherwise.
  private func settled(
    _ parts: [RelatedPart], of index: Int, isSure: Bool
  ) throws(NetconvError) -> Relation.Outcome? {
    guard let source = parts[0].source else { return nil }
    guard Self.isVector(b[index]), Self.isVector(a[source]) else {
      if isSure { return nil }
      return try hasRepeats(parts[0], in: b[index]) ? .undetermined(.symmetric, parts) : nil
    }
    let known = ordersOfLayer(of: source, b[index].count)
    let own = parts.count == 1 ? orders(of: parts[0], to: index).first : nil
    // Most vectors are like their layer: their values need not be read again.
    if isSure, known.isEmpty || known == [own] { return nil }
    let (from, to) = (
      try bits(of: a[source]).map(parts[0].likeness.apply), try bits(of: b[index])
    )
    guard Set(to).count < to.count else { return nil }
    let fits = { (order: [Int]) in zip(to, order).allSatisfy { $0 == from[$1] } }
    let orders = known.filter(fits)
    if orders.count == 1 {
      return orders[0] == own
        ? .related(parts) : part(parts[0], orders[0], of: index).map { .related([$0]) }
    }
    let candidates = orders.compactMap { self.part(parts[0], $0, of: index) }
    if candidates.count > 1 { return .undetermined(.symmetric, candidates) }
    return isSure ? nil : .undetermined(.symmetric, parts)
  }

  /// The orders of axes of `count` places in the other tensors of the layer that `source` is of.
  private func ordersOfLayer(of source: Int, _ count: Int) -> [[Int]] {
    let layer = Self.layer(of: a[source].name)
    return (known[count] ?? []).filter { $0.layer == layer }.map(\.order)
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The same part with the places of its only axis in an order.
  private func part(_ part: RelatedPart, _ order: [Int], of index: Int) -> RelatedPart? {
    guard let source = part.source, let first = order.first else { return nil }
    let tables = AxisTables(origin: first, tables: [order.map { $0 - first }])
    guard let (move, orders) = tables.rearrangement(of: a[source].shape, to: b[index].shape) else {
      return nil
    }
    return RelatedPart(
      source: source, rearrangement: move, orders: orders, likeness: part.likeness)
  }

  // MARK: - What a tensor tells

  /// For each axis of B whose places come from one axis of A: which of its places each of them is.
  private func orders(of part: RelatedPart, to index: Int) -> [[Int]] {
    guard let copy = part.copy, let source = part.source else { return [] }
    let (from, to) = (a[source].shape, b[index].shape)
    let (strides, sourceStrides) = (rowMajorStrides(of: to), rowMajorStrides(of: from))
    let first = copy.sourceIndex(of: 0)
    return to.indices.filter { (2...Self.longestAxis).contains(to[$0]) }.compactMap { axis in
      let places = (0..<to[axis]).map { copy.sourceIndex(of: $0 * strides[axis]) }
      for (size, stride) in zip(from, sourceStrides) where size == to[axis] {
        // Places along one axis: all else is as in the first.
        let order = places.map { $0 / stride % size }
        let rest = first - first / stride % size * stride
        if zip(places, order).allSatisfy({ $0 == rest + $1 * stride }),
          Set(order).count == size
        {
          return order
        }
      }
      return nil
    }
  }

  /// Whether two places of an axis that has an order of its own hold the same values.
  private func hasRepeats(
    _ part: RelatedPart, in tensor: RelatedTensor
  ) throws(NetconvError) -> Bool {
    guard let move = part.rearrangement, !part.orders.isEmpty else { return false }
    var stride = 1
    var bits: [UInt32]?
    for axis in move.target.axes.reversed() {
      let size = move.sizes[axis] ?? 1
      if part.orders[axis] != nil {
        if bits == nil { bits = try self.bits(of: tensor) }
        var sums = [UInt64](repeating: 0, count: size)
        for (index, value) in (bits ?? []).enumerated() {
          let place = index / stride % size
          sums[place] = (sums[place] ^ UInt64(value)) &* 0x0000_0100_0000_01b3 &+ 1
        }
        if Set(sums).count < size { return true }
      }
      stride *= size
    }
    return false
  }

  private func bits(of tensor: RelatedTensor) throws(NetconvError) -> [UInt32] {
    try MemoryBound.check(file: product([tensor.count, 2 * MemoryLayout<Float>.size]))
    let values: [Float] = try tensor.source.values(0..<tensor.count)
    return values.map(\.bitPattern)
  }

  private static func isVector(_ tensor: RelatedTensor) -> Bool {
    tensor.shape.count { $0 > 1 } == 1
  }

  /// What names of tensors of one layer begin with.
  private static func layer(of name: String) -> String {
    let end =
      name.lastIndex { $0 == "/" || $0 == "." } ?? name.lastIndex(of: "_") ?? name.endIndex
    return String(name[..<end])
  }
}
