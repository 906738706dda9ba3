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

  /// Values of a source row that a block takes: one cache line of 64 bytes, used up while it is there.
  private static let lineCount = 16
  /// Source rows of a block: as many lines as one set of an L1 cache holds, since rows of a power of two bytes
  /// all fall into the same set.
  private static let rowCount = 8

  /// Transposes rows that are contiguous in the source into rows that are contiguous in the destination.
  ///
  /// `contiguous` runs along a source row and steps over `step` values in the destination; `last` runs along a
  /// destination row. Blocks are walked along destination rows, whose lines are completed while they are cached.
  private static func copyTransposed(
    _ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>,
    _ contiguous: Dimension, _ step: Int, _ last: Dimension
  ) {
    for first in stride(from: 0, to: contiguous.size, by: lineCount) {
      let places = first..<min(first + lineCount, contiguous.size)
      for firstRow in stride(from: 0, to: last.size, by: rowCount) {
        let rows = firstRow..<min(firstRow + rowCount, last.size)
        if contiguous.stride == 1, places.count == lineCount, rows.count == rowCount {
          copyBlock(
            source + first + firstRow * last.stride, destination + first * step + firstRow,
            last.stride, step)
          continue
        }
        for place in places {
          let from = source + place * contiguous.stride
          let to = destination + place * step
          for row in rows { to[row] = from[row * last.stride] }
        }
      }
    }
  }

  /// Transposes ``rowCount`` source rows of ``lineCount`` values, four by four in registers.
  @inline(__always)
  private static func copyBlock(
    _ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>, _ rowStride: Int,
    _ step: Int
  ) {
    for row in stride(from: 0, to: rowCount, by: 4) {
      let from = UnsafeRawPointer(source + row * rowStride)
      let rowBytes = rowStride * MemoryLayout<Float>.size
      for place in stride(from: 0, to: lineCount, by: 4) {
        let offset = place * MemoryLayout<Float>.size
        let a = from.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
        let b = from.loadUnaligned(fromByteOffset: offset + rowBytes, as: SIMD4<Float>.self)
        let c = from.loadUnaligned(fromByteOffset: offset + 2 * rowBytes, as: SIMD4<Float>.self)
        let d = from.loadUnaligned(fromByteOffset: offset + 3 * rowBytes, as: SIMD4<Float>.self)
        for index in 0..<4 {
          UnsafeMutableRawPointer(destination + (place + index) * step + row).storeBytes(
            of: SIMD4(a[index], b[index], c[index], d[index]), as: SIMD4<Float>.self)
        }
      }
    }
  }
}
