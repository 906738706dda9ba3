import ModelIR

extension RelatedTensor {
  /// A section of the tensor.
  package func section(_ section: RelatedPart.Section) -> RelatedTensor {
    var shape = shape
    shape[section.axis] = section.count
    return RelatedTensor(
      name: name, shape: shape,
      source: source.section(
        of: self.shape, axis: section.axis, section.range, step: section.step))
  }

  /// The sections of a concatenation along an axis, each with the index of its source tensor; `nil`
  /// if a section without a source is not zero.
  ///
  /// - Throws: An error if the values cannot be read.
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

  /// The sum with another tensor in float32, under the name of this one.
  ///
  /// - Precondition: Both have the same count.
  func plus(_ other: RelatedTensor) -> RelatedTensor {
    RelatedTensor(name: name, shape: shape, source: SummedSource(a: source, b: other.source))
  }

  /// True if all values are zeros of either sign.
  ///
  /// - Throws: An error if the values cannot be read.
  package func isZero() throws(NetconvError) -> Bool {
    var isZero = true
    try source.forEachPiece(in: 0..<count) { _, values in
      isZero = isZero && values.allSatisfy { $0 == 0 }
    }
    return isZero
  }
}

extension AxisTables {
  /// The limit on the values of a tensor in memory: 128 MiB.
  private static var mostValues: Int { 1 << 25 }

  /// True if all values of `b` are in `a` at the positions of the tables; false for tensors too
  /// large for memory.
  ///
  /// - Throws: An error if the values cannot be read.
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

  /// The sections of an array with the shape `shape` that the tables use; axes that are used
  /// completely have none.
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

/// The sum of two sources in float32.
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
