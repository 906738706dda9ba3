/// A copy from strided to consecutive elements: the operation behind every rearrangement.
public struct StridedCopy: Sendable, Equatable {
  /// One loop of the copy.
  public struct Dimension: Sendable, Equatable {
    /// The number of steps.
    public var size: Int
    /// The distance between steps in the source, in values; negative where the axis is reversed.
    public var stride: Int
    /// For each step, its source index in units of strides; `nil` for consecutive steps.
    public var places: [Int]?

    /// Creates a loop of `size` steps, `stride` values apart in the source.
    ///
    /// - Precondition: `places` is a permutation of the indices below `size`; the stride is then not negative.
    public init(size: Int, stride: Int, places: [Int]? = nil) {
      precondition(places.map { $0.sorted() == Array(0..<size) && stride >= 0 } ?? true)
      self.size = size
      self.stride = stride
      self.places = places
    }
  }

  /// The loops, outermost first, in the order of the destination.
  public let dimensions: [Dimension]
  /// The source index of the first value written.
  public let origin: Int

  /// Creates a copy over `dimensions`, with adjacent loops merged where possible.
  ///
  /// Reversed dimensions start at their last index.
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

  /// True if source and destination have the same order.
  public var isIdentity: Bool {
    dimensions.isEmpty
      || (dimensions.count == 1 && dimensions[0].stride == 1 && dimensions[0].places == nil)
  }

  /// Returns the source index of the value at `index` in the destination.
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

  /// The same copy as a ``StridedMove``.
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
  /// - Precondition: `source` covers every index that the strides reach, `destination` has room for ``count`` values.
  public func run(_ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>) {
    move.run(source, destination)
  }

  /// Returns the values in the new order.
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
