/// A part of a rearrangement that is contiguous in the source: what streaming reads at once.
public struct Panel: Sendable {
  /// A stretch of consecutive values in the destination.
  public struct Run: Sendable, Equatable {
    /// Where the stretch starts in the rearranged tensor, in values.
    public let offset: Int
    /// Its length in values.
    public let count: Int
  }

  /// The panel's values in the source.
  public let source: Range<Int>
  /// Brings the panel's values, as read, into the order of the destination, without gaps.
  public let copy: StridedCopy

  private let box: [Range<Int>]
  private let sizes: [Int]

  /// Where the rearranged values belong, in their order.
  public var runs: [Run] {
    let partial = box.indices.last { box[$0].count < sizes[$0] } ?? 0
    var strides = sizes
    var stride = 1
    for index in sizes.indices.reversed() {
      strides[index] = stride
      stride *= sizes[index]
    }
    guard !box.isEmpty else { return [Run(offset: 0, count: 1)] }
    let length = box[partial].count * strides[partial]
    var offsets = [0]
    for index in 0...partial {
      let starts = index == partial ? box[index].prefix(1) : box[index][...]
      offsets = offsets.flatMap { offset in starts.map { offset + $0 * strides[index] } }
    }
    return offsets.map { Run(offset: $0, count: length) }
  }
}

extension Panel {
  /// Splits a copy into panels of at most `maximumCount` values (at least one value each).
  static func split(_ copy: StridedCopy, maximumCount: Int) -> [Panel] {
    let bySource = copy.dimensions.indices.sorted {
      abs(copy.dimensions[$0].stride) > abs(copy.dimensions[$1].stride)
    }
    guard let first = bySource.first, copy.count > maximumCount else {
      return [panel(of: copy, box: copy.dimensions.map { 0..<$0.size })]
    }
    // Outer loops are walked index by index until what is left of them can be cut into ranges.
    let split =
      bySource.first { abs(copy.dimensions[$0].stride) <= maximumCount }
      ?? bySource.last ?? first
    let step = max(1, maximumCount / abs(copy.dimensions[split].stride))
    var boxes = [copy.dimensions.map { 0..<$0.size }]
    for dimension in bySource {
      let length = dimension == split ? step : 1
      boxes = boxes.flatMap { cut($0, dimension, length) }
      if dimension == split { break }
    }
    return boxes.map { panel(of: copy, box: $0) }
  }

  private static func cut(_ box: [Range<Int>], _ dimension: Int, _ length: Int) -> [[Range<Int>]] {
    stride(from: 0, to: box[dimension].count, by: length).map { start in
      var part = box
      part[dimension] = start..<min(start + length, box[dimension].count)
      return part
    }
  }

  private static func panel(of copy: StridedCopy, box: [Range<Int>]) -> Panel {
    var lowest = copy.origin
    for (range, dimension) in zip(box, copy.dimensions) {
      lowest += dimension.stride * (dimension.stride < 0 ? range.upperBound - 1 : range.lowerBound)
    }
    let loops = zip(box, copy.dimensions).map {
      StridedCopy.Dimension(size: $0.count, stride: $1.stride)
    }
    let part = StridedCopy(loops)
    return Panel(
      source: lowest..<lowest + part.count, copy: part, box: box,
      sizes: copy.dimensions.map(\.size))
  }
}
