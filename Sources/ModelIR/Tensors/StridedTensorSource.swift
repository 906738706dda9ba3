/// A strided view of another source's values, in any order and possibly with repetitions.
package struct StridedTensorSource: GatheringSource {
  let source: any TensorSource
  let offset: Int
  let sizes: [Int]
  let strides: [Int]
  package let count: Int

  /// The maximum number of values per read.
  private static let mostAtOnce = 1 << 18
  /// Parts that span at most this many values are read including the gaps.
  private static let fewAtOnce = 1 << 12
  /// Longer parts are read including the gaps if at least one in this many values belongs to the view.
  private static let density = 8

  /// Creates a view of the values of `source` at `offset` plus multiples of `strides`.
  ///
  /// - Precondition: all of them are in the source.
  package init(_ source: any TensorSource, offset: Int, sizes: [Int], strides: [Int]) {
    self.source = source
    self.offset = offset
    self.sizes = sizes
    self.strides = strides
    count = sizes.reduce(1, *)
  }

  package var elementType: ElementType { source.elementType }

  // MARK: - Boxes

  /// A part of the view that is a product of index ranges.
  private struct Box {
    /// The offset of the first value in the source.
    var place: Int
    /// The offset of the first value in the destination.
    var destination: Int
    /// For each axis: the count, the stride in the source, and the stride in the destination.
    var axes: [(count: Int, stride: Int, step: Int)]

    var count: Int { axes.reduce(1) { $0 * $1.count } }
    /// The number of source values from the first to the last.
    var span: Int { axes.reduce(1) { $0 + ($1.count - 1) * $1.stride } }
  }

  package func gather<Value: StreamedValue>(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Value>
  ) throws(NetconvError) {
    let scratch = UnsafeMutableBufferPointer<Value>.allocate(capacity: Self.mostAtOnce)
    defer { scratch.deallocate() }
    for box in boxes(of: range) { try read(box, into: values, scratch) }
  }

  /// Splits a range of indices into boxes: parts of rows, of planes, and so on.
  private func boxes(of range: Range<Int>) -> [Box] {
    var boxes: [Box] = []
    var volumes = [Int](repeating: 1, count: sizes.count + 1)
    for axis in sizes.indices.reversed() { volumes[axis] = volumes[axis + 1] * sizes[axis] }
    var position = range.lowerBound
    while position < range.upperBound {
      // The slowest axis along which whole slices start at this position, and of which at least one fits.
      var axis = sizes.count
      while axis > 0, position.isMultiple(of: volumes[axis - 1]),
        volumes[axis - 1] <= range.upperBound - position
      {
        axis -= 1
      }
      var count = 1
      if axis > 0 {
        let left = sizes[axis - 1] - position / volumes[axis] % sizes[axis - 1]
        count = min(left, (range.upperBound - position) / volumes[axis])
      }
      boxes.append(box(at: position, slices: count, of: axis, volumes, range.lowerBound))
      position += count * volumes[axis]
    }
    return boxes
  }

  private func box(
    at position: Int, slices: Int, of axis: Int, _ volumes: [Int], _ start: Int
  ) -> Box {
    var place = offset
    for index in sizes.indices {
      place += position / volumes[index + 1] % sizes[index] * strides[index]
    }
    var axes = sizes.indices[axis...].map {
      (count: sizes[$0], stride: strides[$0], step: volumes[$0 + 1])
    }
    if axis > 0 { axes.append((slices, strides[axis - 1], volumes[axis])) }
    // Neighbours in the destination first, so that they are copied together.
    return Box(
      place: place, destination: position - start,
      axes: axes.filter { $0.count > 1 }.sorted { $0.step < $1.step })
  }

  /// Reads a box with one read, or splits it along its longest axis.
  private func read<Value: StreamedValue>(
    _ box: Box, into values: UnsafeMutableBufferPointer<Value>,
    _ scratch: UnsafeMutableBufferPointer<Value>
  ) throws(NetconvError) {
    let span = box.span
    let isDense = span <= Self.fewAtOnce || span / box.count < Self.density
    if span <= Self.mostAtOnce, isDense {
      let read = UnsafeMutableBufferPointer(rebasing: scratch[..<span])
      try Value.read(source, box.place..<box.place + span, into: read)
      Self.scatter(box.axes[...], read, 0, values, box.destination)
      return
    }
    let longest =
      box.axes.indices.max {
        (box.axes[$0].count - 1) * box.axes[$0].stride
          < (box.axes[$1].count - 1) * box.axes[$1].stride
      } ?? 0
    let axis = box.axes[longest]
    let half = axis.count / 2
    var (first, second) = (box, box)
    first.axes[longest].count = half
    second.axes[longest].count = axis.count - half
    second.place += half * axis.stride
    second.destination += half * axis.step
    try read(first, into: values, scratch)
    try read(second, into: values, scratch)
  }

  private static func scatter<Value>(
    _ axes: ArraySlice<(count: Int, stride: Int, step: Int)>,
    _ read: UnsafeMutableBufferPointer<Value>, _ place: Int,
    _ values: UnsafeMutableBufferPointer<Value>, _ destination: Int
  ) {
    guard let axis = axes.last else {
      values[destination] = read[place]
      return
    }
    if axes.count == 1, axis.step == 1 {
      guard let from = read.baseAddress, let to = values.baseAddress else { return }
      if axis.stride == 1 {
        (to + destination).update(from: from + place, count: axis.count)
      } else {
        for index in 0..<axis.count { to[destination + index] = from[place + index * axis.stride] }
      }
      return
    }
    for index in 0..<axis.count {
      scatter(
        axes.dropLast(), read, place + index * axis.stride, values,
        destination + index * axis.step)
    }
  }
}

extension TensorSource {
  /// Returns the given range along an axis of an array with the given shape, or each `step`-th index of it.
  ///
  /// - Precondition: the source contains that array.
  package func section(
    of shape: [Int], axis: Int, _ range: Range<Int>, step: Int = 1
  ) -> StridedTensorSource {
    var strides = rowMajorStrides(of: shape)
    var sizes = shape
    sizes[axis] = (range.count + step - 1) / step
    let offset = range.lowerBound * strides[axis]
    strides[axis] *= step
    return StridedTensorSource(
      self, offset: offset, sizes: sizes, strides: strides)
  }
}
