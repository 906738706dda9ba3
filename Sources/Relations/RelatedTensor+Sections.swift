import ModelIR

extension RelatedTensor {
  /// A part of the tensor.
  package func section(_ section: RelatedPart.Section) -> RelatedTensor {
    var shape = shape
    shape[section.axis] = section.range.count
    return RelatedTensor(
      name: name, shape: shape,
      source: source.section(of: self.shape, axis: section.axis, section.range))
  }

  /// The sections that were put together along an axis, each with the number of the tensor that it came from; `nil` if one
  /// that came from none is not zero.
  ///
  /// - Throws: what reading the values throws.
  func sections(
    of runs: [LineSearch.Run]
  ) throws(NetconvError) -> [(target: RelatedPart.Section, section: RelatedTensor, source: Int?)]? {
    let axes = shape.indices.filter { shape[$0] != 1 }
    let sections = runs.map { run in
      let target = RelatedPart.Section(axis: axes[run.axis], range: run.range)
      return (target: target, section: section(target), source: run.tensor)
    }
    for (_, section, source) in sections where source == nil {
      guard try section.isZero() else { return nil }
    }
    return sections
  }

  /// The sum with another in float32, called like this one.
  ///
  /// - Precondition: both have as many values.
  func plus(_ other: RelatedTensor) -> RelatedTensor {
    RelatedTensor(name: name, shape: shape, source: SummedSource(a: source, b: other.source))
  }

  /// Whether all values are zeros, of either sign.
  ///
  /// - Throws: what reading the values throws.
  package func isZero() throws(NetconvError) -> Bool {
    var isZero = true
    try source.forEachPiece(in: 0..<count) { _, values in
      isZero = isZero && values.allSatisfy { $0 == 0 }
    }
    return isZero
  }
}

extension AxisTables {
  /// The most values of a tensor that are held in memory: 128 MiB.
  private static var mostValues: Int { 1 << 25 }

  /// Whether all values of `b` are where the tables say in `a`; not of tensors that are too large to hold.
  ///
  /// - Throws: what reading the values throws.
  func fits(_ a: RelatedTensor, _ b: RelatedTensor) throws(NetconvError) -> Bool {
    let lowest = tables.reduce(origin) { $0 + ($1.min() ?? 0) }
    let highest = tables.reduce(origin) { $0 + ($1.max() ?? 0) }
    guard lowest >= 0, highest < a.count, a.count <= Self.mostValues else { return false }
    let values: [Float] = try a.source.values(0..<a.count)
    let innermost = tables.last ?? [0]
    let sizes = tables.dropLast().map(\.count)
    let strides = rowMajorStrides(of: sizes)
    var isSame = true
    try b.source.forEachPiece(in: 0..<b.count) { range, wanted in
      guard isSame else { return }
      var place = range.lowerBound
      while place < range.upperBound {
        let (row, column) = place.quotientAndRemainder(dividingBy: innermost.count)
        var start = origin
        for axis in sizes.indices { start += tables[axis][row / strides[axis] % sizes[axis]] }
        let end = min(range.upperBound, (row + 1) * innermost.count)
        for (step, index) in zip(innermost[column...], place..<end)
        where values[start + step].bitPattern != wanted[index - range.lowerBound].bitPattern {
          isSame = false
          return
        }
        place = end
      }
    }
    return isSame
  }

  /// The parts of the axes of an array of the shape `shape` that the tables reach; none for axes of which they
  /// reach all.
  func sections(of shape: [Int]) -> [RelatedPart.Section] {
    let lowest = tables.reduce(origin) { $0 + ($1.min() ?? 0) }
    let highest = tables.reduce(origin) { $0 + ($1.max() ?? 0) }
    let strides = rowMajorStrides(of: shape)
    return shape.indices.compactMap { axis in
      let first = lowest / strides[axis] % shape[axis]
      let last = highest / strides[axis] % shape[axis]
      guard first <= last, last - first + 1 < shape[axis] else { return nil }
      return RelatedPart.Section(axis: axis, range: first..<last + 1)
    }
  }
}

/// The sums of the values of two sources, in float32.
private struct SummedSource: TensorSource {
  let a: any TensorSource
  let b: any TensorSource

  var elementType: ElementType { .float32 }
  var count: Int { a.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try a.read(range, into: values)
    let others: [Float] = try b.values(range)
    for index in values.indices { values[index] += others[index] }
  }
}
