/// A copy from strided places to consecutive ones: what every rearrangement comes down to.
public struct StridedCopy: Sendable, Equatable {
  /// One loop of the copy.
  public struct Dimension: Sendable, Equatable {
    /// The number of steps.
    public var size: Int
    /// The distance of two steps in the source, in values; negative where the axis is reversed.
    public var stride: Int
    /// Of each step, its place in the source, counted in strides; `nil` where they follow one another.
    public var places: [Int]?

    /// A loop of `size` steps, `stride` values apart in the source.
    ///
    /// - Precondition: `places` has each number below `size` once, and `stride` is then not negative.
    public init(size: Int, stride: Int, places: [Int]? = nil) {
      precondition(places.map { $0.sorted() == Array(0..<size) && stride >= 0 } ?? true)
      self.size = size
      self.stride = stride
      self.places = places
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
      if let last = merged.last, last.places == nil, dimension.places == nil,
        last.stride == dimension.stride * dimension.size
      {
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
    dimensions.isEmpty
      || (dimensions.count == 1 && dimensions[0].stride == 1 && dimensions[0].places == nil)
  }

  /// The place in the source of the value that is written as number `index`.
  public func sourceIndex(of index: Int) -> Int {
    var rest = index
    var place = origin
    for dimension in dimensions.reversed() {
      let step = rest % dimension.size
      place += (dimension.places?[step] ?? step) * dimension.stride
      rest /= dimension.size
    }
    return place
  }

  /// The same as a move between places.
  public var move: StridedMove {
    var step = 1
    var loops: [StridedMove.Loop] = []
    var starts = [StridedMove.Start(from: origin, to: 0)]
    for dimension in dimensions.reversed() {
      if let places = dimension.places {
        starts = starts.stepped(
          zip(places, 0...).map { .init(from: $0 * dimension.stride, to: $1 * step) })
      } else {
        loops.append(.init(size: dimension.size, from: dimension.stride, to: step))
      }
      step *= dimension.size
    }
    return StridedMove(loops.reversed(), starts: starts)
  }

  /// Copies ``count`` values.
  ///
  /// - Precondition: `source` holds every place that the strides reach, `destination` ``count`` values.
  public func run(_ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>) {
    move.run(source, destination)
  }

  /// The values in the new order.
  ///
  /// - Precondition: there are ``count`` values.
  package func applied(to values: [Float]) -> [Float] {
    [Float](unsafeUninitializedCapacity: values.count) { buffer, count in
      values.withUnsafeBufferPointer { source in
        if let from = source.baseAddress, let to = buffer.baseAddress { run(from, to) }
      }
      count = values.count
    }
  }
}
