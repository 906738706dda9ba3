/// A dense array of values in row-major order.
public struct NDArray<Element: Sendable & BinaryFloatingPoint>: Sendable, Equatable {
  /// The size of each axis, slowest first.
  public let shape: [Int]
  /// The values in row-major order.
  public var values: [Element]

  /// Creates an array of `values`.
  ///
  /// - Precondition: the number of values is that of `shape`.
  public init(shape: [Int], values: [Element]) {
    precondition(shape.reduce(1, *) == values.count, "\(values.count) values for \(shape)")
    self.shape = shape
    self.values = values
  }

  /// Creates an array filled with `value`.
  ///
  /// - Throws: `usage` if it exceeds the memory limit.
  public init(shape: [Int], filledWith value: Element = 0) throws(NetconvError) {
    let count = try MemoryBound.count(of: shape, byteCount: MemoryLayout<Element>.stride)
    self.shape = shape
    values = Array(repeating: value, count: count)
  }

  /// Returns a range of samples along the batch axis, which is the first.
  package func samples(_ range: Range<Int>) -> NDArray {
    let size = shape.dropFirst().reduce(1, *)
    return NDArray(
      shape: [range.count] + shape.dropFirst(),
      values: Array(values[range.lowerBound * size..<range.upperBound * size]))
  }

  /// The number of values.
  public var count: Int { values.count }

  /// The number of axes.
  public var rank: Int { shape.count }

  /// The value at channel `c` of pixel (`h`, `w`) of an image.
  @inlinable
  public subscript(_ h: Int, _ w: Int, _ c: Int) -> Element {
    get { values[(h * shape[1] + w) * shape[2] + c] }
    set { values[(h * shape[1] + w) * shape[2] + c] = newValue }
  }

  /// The value at four indices, for example of a convolution kernel.
  @inlinable
  public subscript(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Element {
    values[((a * shape[1] + b) * shape[2] + c) * shape[3] + d]
  }

  /// Returns the same values with another shape.
  ///
  /// - Precondition: the number of values stays the same.
  public func reshaped(_ shape: [Int]) -> NDArray {
    NDArray(shape: shape, values: values)
  }

  /// Returns the array with `transform` applied to each value.
  @inlinable public func map(_ transform: (Element) -> Element) -> NDArray {
    NDArray(shape: shape, values: values.map(transform))
  }

  /// Returns the values converted to another type, rounded to nearest even.
  @inlinable public func converted<Other: Sendable & BinaryFloatingPoint>(
    to type: Other.Type
  ) -> NDArray<Other> {
    NDArray<Other>(shape: shape, values: values.map { Other($0) })
  }
}

extension NDArray<Float> {
  /// Returns the array with its axes permuted.
  ///
  /// - Parameter order: for each axis of the result, the axis of this array.
  /// - Precondition: every axis occurs once.
  public func permuted(_ order: [Int]) -> NDArray {
    precondition(order.sorted() == Array(shape.indices), "\(order) for \(shape)")
    let sizes = order.map { shape[$0] }
    guard !values.isEmpty else { return NDArray(shape: sizes, values: []) }
    let strides = shape.indices.map { shape[($0 + 1)...].reduce(1, *) }
    let copy = StridedCopy(
      order.map { StridedCopy.Dimension(size: shape[$0], stride: strides[$0]) })
    let moved = [Float](unsafeUninitializedCapacity: values.count) { buffer, count in
      values.withUnsafeBufferPointer { source in
        if let from = source.baseAddress, let to = buffer.baseAddress { copy.run(from, to) }
      }
      count = values.count
    }
    return NDArray(shape: sizes, values: moved)
  }
}
