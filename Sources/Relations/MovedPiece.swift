import ModelIR

/// A tensor, or a section of one, that was rearranged as a whole.
struct MovedPiece {
  let part: RelatedPart
  /// The source: a tensor of A, or a section of one.
  let source: RelatedTensor
  /// The target: a tensor of B, or a section of one.
  let target: RelatedTensor
  /// The sizes of the cut or joined axes in the whole tensors.
  let sizesOfCutAxes: [Int]

  /// The origin of its axes: the layer of A, and the sections of fused tensors.
  struct Position: Hashable {
    let layer: String
    let from: [Range<Int>]
    let to: [Range<Int>]
  }

  /// The longest axis that is checked; longer ones are vocabularies, which are not permuted.
  private static let longestAxis = 1 << 20

  /// Creates a piece; `nil` for zeros.
  init?(_ part: RelatedPart, _ a: [RelatedTensor], _ tensor: RelatedTensor) {
    guard let index = part.source else { return nil }
    self.part = part
    let whole = part.addend.map { a[index].plus(a[$0]) } ?? a[index]
    source = part.sourceSections.reduce(whole) { $0.section($1) }
    target = part.target.reduce(tensor) { $0.section($1) }
    sizesOfCutAxes =
      part.sourceSections.map { a[index].shape[$0.axis] }
      + part.target.map { tensor.shape[$0.axis] }
  }

  var isVector: Bool { source.isVector && target.isVector }

  var position: Position {
    Position(
      layer: source.layerName, from: part.sourceSections.map(\.range),
      to: part.target.map(\.range))
  }

  /// The same part with a permutation of its only axis.
  func part(in order: [Int]) -> RelatedPart? {
    guard let first = order.first else { return nil }
    let tables = AxisTables(origin: first, tables: [order.map { $0 - first }])
    guard let (move, orders) = tables.rearrangement(of: source.shape, to: target.shape) else {
      return nil
    }
    return RelatedPart(
      target: part.target, source: part.source, sourceSections: part.sourceSections,
      rearrangement: move, orders: orders, addend: part.addend, likeness: part.likeness)
  }

  /// The permutation of each axis of B that corresponds to one axis of A.
  var orders: [[Int]] { axisOrders.map(\.order) }

  /// The permutations with their axes.
  private var axisOrders: [(axis: Int, order: [Int])] {
    guard let copy = part.rearrangement?.copy(orders: part.orders) else { return [] }
    let (from, to) = (source.shape, target.shape)
    let (strides, sourceStrides) = (rowMajorStrides(of: to), rowMajorStrides(of: from))
    let first = copy.sourceIndex(of: 0)
    return to.indices.filter { (2...Self.longestAxis).contains(to[$0]) }.compactMap { axis in
      let places = (0..<to[axis]).map { copy.sourceIndex(of: $0 * strides[axis]) }
      for (size, stride) in zip(from, sourceStrides) where size == to[axis] {
        // The indices run along one axis if all other coordinates are constant.
        let order = places.map { $0 / stride % size }
        let rest = first - first / stride % size * stride
        if zip(places, order).allSatisfy({ $0 == rest + $1 * stride }),
          Set(order).count == size
        {
          return (axis, order)
        }
      }
      return nil
    }
  }

  /// True if another permutation of an axis gives the same values.
  ///
  /// - Parameter others: Returns the other permutations of axes of a size in the layer.
  /// - Throws: An error if the values cannot be read.
  func fits(others: (_ count: Int) -> [[Int]]) throws(NetconvError) -> Bool {
    for (axis, own) in axisOrders {
      let others = others(own.count).filter { $0 != own }
      guard !others.isEmpty else { continue }
      let sums = Self.sums(
        of: try target.bits(), size: own.count, stride: rowMajorStrides(of: target.shape)[axis])
      // Indexed by the source.
      var bySource = sums
      for (place, source) in own.enumerated() { bySource[source] = sums[place] }
      if others.contains(where: { other in
        sums.indices.allSatisfy { sums[$0] == bySource[other[$0]] }
      }) {
        return true
      }
    }
    return false
  }

  /// A hash of the values at each index of an axis with the stride `stride`.
  private static func sums(of bits: [UInt32], size: Int, stride: Int) -> [UInt64] {
    var sums = [UInt64](repeating: 0, count: size)
    for (index, value) in bits.enumerated() {
      let place = index / stride % size
      sums[place] = (sums[place] ^ UInt64(value)) &* 0x0000_0100_0000_01b3 &+ 1
    }
    return sums
  }

  /// True if two indices of a permuted axis hold the same values.
  ///
  /// - Throws: An error if the values cannot be read.
  func hasRepeats() throws(NetconvError) -> Bool {
    guard let move = part.rearrangement, !part.orders.isEmpty else { return false }
    var stride = 1
    var bits: [UInt32] = []
    for axis in move.target.axes.reversed() {
      let size = move.sizes[axis] ?? 1
      if part.orders[axis] != nil {
        if bits.isEmpty { bits = try target.bits() }
        let sums = Self.sums(of: bits, size: size, stride: stride)
        if Set(sums).count < size { return true }
      }
      stride *= size
    }
    return false
  }
}

extension RelatedTensor {
  /// The common prefix of the names of the layer's tensors.
  fileprivate var layerName: String {
    let end =
      name.lastIndex { $0 == "/" || $0 == "." } ?? name.lastIndex(of: "_") ?? name.endIndex
    return String(name[..<end])
  }

  /// The bit patterns of the values as float32.
  func bits() throws(NetconvError) -> [UInt32] {
    try MemoryBound.check(file: product([count, 2 * MemoryLayout<Float>.size]))
    let values: [Float] = try source.values(0..<count)
    return values.map(\.bitPattern)
  }
}
