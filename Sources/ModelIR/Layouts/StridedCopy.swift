/// A copy from strided places to consecutive ones: what every rearrangement comes down to.
public struct StridedCopy: Sendable, Equatable {
  /// One loop of the copy.
  public struct Dimension: Sendable, Equatable {
    /// The number of steps.
    public var size: Int
    /// The distance of two steps in the source, in values; negative where the axis is reversed.
    public var stride: Int

    /// A loop of `size` steps, `stride` values apart in the source.
    public init(size: Int, stride: Int) {
      self.size = size
      self.stride = stride
    }
  }

  /// The loops, outermost first, in the order of the destination.
  public let dimensions: [Dimension]
  /// The place in the source of the first value written.
  public let origin: Int

  /// A copy over `dimensions`, with neighbours merged where one loop can do the work of two.
  ///
  /// Reversed dimensions start at their far end.
  public init(_ dimensions: [Dimension]) {
    var merged: [Dimension] = []
    for dimension in dimensions where dimension.size != 1 {
      if let last = merged.last, last.stride == dimension.stride * dimension.size {
        merged[merged.count - 1] = Dimension(
          size: last.size * dimension.size, stride: dimension.stride)
      } else {
        merged.append(dimension)
      }
    }
    self.dimensions = merged
    origin = merged.reduce(0) { $0 + ($1.stride < 0 ? -$1.stride * ($1.size - 1) : 0) }
  }

  /// The number of values copied.
  public var count: Int { dimensions.reduce(1) { $0 * $1.size } }

  /// Whether source and destination have the same order.
  public var isIdentity: Bool {
    dimensions.isEmpty || (dimensions.count == 1 && dimensions[0].stride == 1)
  }

  /// The place in the source of the value that is written as number `index`.
  public func sourceIndex(of index: Int) -> Int {
    var rest = index
    var place = origin
    for dimension in dimensions.reversed() {
      place += rest % dimension.size * dimension.stride
      rest /= dimension.size
    }
    return place
  }

  /// The copy that takes the destination back to the source's order.
  public var inverse: StridedCopy {
    var stride = 1
    var loops: [(sourceStride: Int, dimension: Dimension)] = []
    for dimension in dimensions.reversed() {
      let sign = dimension.stride < 0 ? -1 : 1
      loops.append(
        (abs(dimension.stride), Dimension(size: dimension.size, stride: sign * stride)))
      stride *= dimension.size
    }
    return StridedCopy(loops.sorted { $0.sourceStride > $1.sourceStride }.map(\.dimension))
  }
}

// MARK: - Running it

extension StridedCopy {
  /// Copies ``count`` values.
  ///
  /// - Precondition: `source` holds every place that the strides reach, `destination` ``count`` values.
  public func run(_ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>) {
    guard count > 0 else { return }
    let start = source + origin
    guard let last = dimensions.last else {
      destination.pointee = start.pointee
      return
    }
    let unit = dimensions.lastIndex { abs($0.stride) == 1 } ?? dimensions.count - 1
    if unit == dimensions.count - 1 {
      forEachOffset(skipping: [unit]) { from, to in
        Self.copyRow(start + from, destination + to, last)
      }
    } else {
      let step = destinationStrides[unit]
      forEachOffset(skipping: [unit, dimensions.count - 1]) { from, to in
        Self.copyTransposed(start + from, destination + to, dimensions[unit], step, last)
      }
    }
  }

  private var destinationStrides: [Int] {
    var strides = dimensions.map { _ in 1 }
    for index in dimensions.indices.dropLast().reversed() {
      strides[index] = strides[index + 1] * dimensions[index + 1].size
    }
    return strides
  }

  /// Calls `body` with the source and destination offset of every combination of the other loops.
  private func forEachOffset(skipping skipped: Set<Int>, _ body: (Int, Int) -> Void) {
    let strides = destinationStrides
    let loops = dimensions.indices.filter { !skipped.contains($0) }
    var position = loops.map { _ in 0 }
    var from = 0
    var to = 0
    while true {
      body(from, to)
      var level = loops.count - 1
      while level >= 0 {
        let loop = loops[level]
        position[level] += 1
        from += dimensions[loop].stride
        to += strides[loop]
        if position[level] < dimensions[loop].size { break }
        from -= dimensions[loop].stride * dimensions[loop].size
        to -= strides[loop] * dimensions[loop].size
        position[level] = 0
        level -= 1
      }
      if level < 0 { return }
    }
  }

  private static func copyRow(
    _ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>, _ row: Dimension
  ) {
    if row.stride == 1 {
      destination.update(from: source, count: row.size)
    } else {
      for index in 0..<row.size {
        destination[index] = source[index * row.stride]
      }
    }
  }

  /// Side of the square blocks of a transpose: two blocks of 32 rows of 128 bytes stay in the L1 cache.
  private static let blockSize = 32

  /// Transposes rows that are contiguous in the source into rows that are contiguous in the destination.
  private static func copyTransposed(
    _ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>,
    _ contiguous: Dimension, _ step: Int, _ last: Dimension
  ) {
    for firstRow in stride(from: 0, to: contiguous.size, by: blockSize) {
      let rows = firstRow..<min(firstRow + blockSize, contiguous.size)
      for firstColumn in stride(from: 0, to: last.size, by: blockSize) {
        let columns = firstColumn..<min(firstColumn + blockSize, last.size)
        for row in rows {
          let from = source + row * contiguous.stride
          let to = destination + row * step
          for column in columns {
            to[column] = from[column * last.stride]
          }
        }
      }
    }
  }
}
