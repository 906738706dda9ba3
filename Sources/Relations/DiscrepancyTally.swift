import ModelIR

/// The values of a tensor that differ from expected ones, as they are found from front to back.
struct DiscrepancyTally {
  private let shape: [Int]
  private let strides: [Int]
  private var count = 0
  private var first: (index: Int, value: Float, expected: Float)?
  /// The lowest and the highest index along each axis.
  private var lowest: [Int]
  private var highest: [Int]

  /// Creates an empty tally for a tensor with the shape `shape`.
  init(_ shape: [Int]) {
    self.shape = shape
    strides = rowMajorStrides(of: shape)
    lowest = shape
    highest = shape.map { _ in -1 }
  }

  /// Adds a value.
  mutating func add(_ index: Int, _ value: Float, expected: Float) {
    count += 1
    if first == nil { first = (index, value, expected) }
    for axis in shape.indices {
      let place = index / strides[axis] % shape[axis]
      lowest[axis] = min(lowest[axis], place)
      highest[axis] = max(highest[axis], place)
    }
  }

  /// The differing values; `nil` if there are none.
  var discrepancy: Discrepancy? {
    guard let first else { return nil }
    var found = Discrepancy(
      count: count, index: first.index, value: first.value, expected: first.expected)
    found.sections = shape.indices.compactMap { axis in
      highest[axis] - lowest[axis] + 1 == shape[axis]
        ? nil : RelatedPart.Section(axis: axis, range: lowest[axis]..<highest[axis] + 1)
    }
    return found
  }
}
