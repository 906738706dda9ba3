import FlatBuffers
import ModelIR

/// Operators that move or select values; the axes of their arguments include the batch.
extension TFLiteGraphBuilder {
  /// Transposes a value.
  ///
  /// Source: tensorflow/lite/kernels/transpose.cc: at most 6 axes.
  mutating func transpose(
    _ x: TFLiteValue, _ order: [Int]
  ) throws(NetconvError) -> TFLiteValue {
    guard order != Array(order.indices) else { return x }
    try check(.transpose, x.sizes.count, most: 6)
    return add(.transpose, [x, ints(order)], (26, [:]), sizes: order.map { x.sizes[$0] })
  }

  /// Reshapes a parameter to fixed sizes.
  mutating func reshape(_ x: TFLiteValue, _ sizes: [Int]) -> TFLiteValue {
    add(.reshape, [x, ints(sizes)], (17, [0: .ints(sizes)]), sizes: sizes.map { .fixed($0) })
  }

  /// Reshapes a value with a batch: the batch is inferred, the sizes of samples are known.
  ///
  /// - Parameter batch: the size of the first axis; that of the value by default.
  mutating func reshape(
    _ x: TFLiteValue, samples sizes: [Int], batch: TFLiteSize? = nil
  ) throws(NetconvError) -> TFLiteValue {
    let first = batch ?? x.sizes[0]
    let wanted = [first] + sizes.map { .fixed($0) }
    guard wanted != x.sizes else { return x }
    _ = try x.known()
    let shape = [first.known ?? -1] + sizes
    return add(.reshape, [x, ints(shape)], (17, [0: .ints(shape)]), sizes: wanted)
  }

  /// Adds an axis of size 1.
  mutating func expand(_ x: TFLiteValue, at axis: Int) -> TFLiteValue {
    var sizes = x.sizes
    sizes.insert(.fixed(1), at: axis)
    return add(.expandDims, [x, ints([axis], [])], (52, [:]), sizes: sizes, as: x.type)
  }

  /// Removes an axis of size 1.
  mutating func squeeze(_ x: TFLiteValue, at axis: Int) -> TFLiteValue {
    var sizes = x.sizes
    sizes.remove(at: axis)
    return add(.squeeze, [x], (30, [0: .ints([axis])]), sizes: sizes, as: x.type)
  }

  /// Concatenates values along an axis.
  mutating func concatenate(_ x: [TFLiteValue], along axis: Int) -> TFLiteValue {
    guard x.count > 1 else { return x[0] }
    var sizes = x[0].sizes
    let counts = x.map { $0.sizes[axis] }
    let sum = counts.reduce(0) { $0 + $1.count }
    sizes[axis] = counts.contains { $0.known == nil } ? .open(sum) : .fixed(sum)
    return add(
      .concatenation, x, (10, [0: .int(axis)]), sizes: sizes, as: x[0].type)
  }

  /// Splits a value into equal parts along an axis of known size.
  mutating func split(
    _ x: TFLiteValue, _ count: Int, along axis: Int
  ) throws(NetconvError) -> [TFLiteValue] {
    let size = x.sizes[axis].count / count
    return try (0..<count).map { index throws(NetconvError) in
      try slice(
        x,
        [
          Part(axis: axis, start: index * size, end: (index + 1) * size, step: 1, count: size)
        ])
    }
  }

  /// Reverses a value along an axis.
  mutating func reverse(_ x: TFLiteValue, along axis: Int) -> TFLiteValue {
    add(.reverseV2, [x, ints([axis])], (81, [:]), sizes: x.sizes)
  }

  /// Pads a value with zeros, or with another value.
  ///
  /// Source: tensorflow/lite/kernels/pad.cc: at most 5 axes.
  mutating func pad(
    _ x: TFLiteValue, _ sides: [[Int]], with value: Double = 0
  ) throws(NetconvError) -> TFLiteValue {
    guard sides.contains(where: { $0 != [0, 0] }) else { return x }
    try check(.pad, x.sizes.count, most: 5)
    let sizes = zip(x.sizes, sides).map { size, sides -> TFLiteSize in
      let added = sides[0] + sides[1]
      return size.known.map { .fixed($0 + added) }
        ?? (added == 0 ? size : .open(size.count + added))
    }
    let amounts = ints(sides.flatMap(\.self), [sides.count, 2])
    guard value != 0 else { return add(.pad, [x, amounts], (22, [:]), sizes: sizes) }
    return add(.padV2, [x, amounts, floats([value], [1])], (43, [:]), sizes: sizes)
  }

  /// A part of an axis.
  struct Part {
    let axis: Int
    let start: Int
    /// The index after the last one; `nil` for the end in the direction of the step.
    let end: Int?
    let step: Int
    /// The number of indices; `nil` if it is open.
    let count: Int?
  }

  /// Slices a value.
  ///
  /// Source: tensorflow/lite/kernels/strided_slice.cc: at most 5 axes.
  mutating func slice(_ x: TFLiteValue, _ parts: [Part]) throws(NetconvError) -> TFLiteValue {
    guard !parts.isEmpty else { return x }
    try check(.stridedSlice, x.sizes.count, most: 5)
    var (starts, ends, steps) = (
      x.sizes.map { _ in 0 }, x.sizes.map { _ in 0 }, x.sizes.map { _ in 1 }
    )
    var (sizes, whole) = (x.sizes, Set(x.sizes.indices))
    var endMask = 0
    for part in parts {
      starts[part.axis] = part.start
      steps[part.axis] = part.step
      if let end = part.end { ends[part.axis] = end } else { endMask |= 1 << part.axis }
      whole.remove(part.axis)
      sizes[part.axis] = part.count.map { .fixed($0) } ?? .open(1)
    }
    let beginMask = whole.reduce(0) { $0 | 1 << $1 }
    endMask |= beginMask
    return add(
      .stridedSlice, [x, ints(starts), ints(ends), ints(steps)],
      (32, [0: .int(beginMask), 1: .int(endMask)]), sizes: sizes, as: x.type)
  }

  /// Selects the index of an axis, which is removed.
  mutating func step(
    _ x: TFLiteValue, _ index: Int, of axis: Int
  ) throws(NetconvError) -> TFLiteValue {
    let end = index == -1 ? nil : index + 1
    let part = Part(axis: axis, start: index, end: end, step: 1, count: 1)
    return squeeze(try slice(x, [part]), at: axis)
  }

  /// Adds the number of samples of a value, as a vector with one integer.
  mutating func batch(of source: TFLiteValue) throws(NetconvError) -> TFLiteValue {
    try once("batch of \(source.name)") { graph throws(NetconvError) in
      let shape = graph.add(
        .shape, [source], (55, [0: .byte(TFLiteNumber.int32.rawValue)]),
        sizes: [.fixed(source.sizes.count)], as: .int32)
      return graph.add(
        .stridedSlice, [shape, graph.ints([0]), graph.ints([1]), graph.ints([1])], (32, [:]),
        sizes: [.fixed(1)], as: .int32)
    }
  }

  /// Returns a constant repeated for each sample of the batch; other values are unchanged.
  mutating func expanded(_ x: TFLiteValue) throws(NetconvError) -> TFLiteValue {
    guard x.isConstant else { return x }
    return try once("\(x.name) for the batch") { graph throws(NetconvError) in
      let sizes = try x.known()
      let shape = graph.concatenate(
        [try graph.batch(of: graph.batchSource), graph.ints(sizes)], along: 0)
      return graph.add(
        .broadcastTo, [x, shape], (104, [:]),
        sizes: [graph.batchSource.sizes[0]] + x.sizes.dropFirst())
    }
  }

  /// Checks the number of axes that a kernel supports.
  func check(_ type: TFLiteBuiltin, _ rank: Int, most: Int) throws(NetconvError) {
    guard rank <= most else { throw .tooManyAxesForTFLite(type, rank, most: most) }
  }
}
