/// A contiguous range of another source's values.
public struct SliceSource: TensorSource {
  /// The other source.
  public let source: any TensorSource
  /// The range of values in the other source.
  public let range: Range<Int>

  /// Creates a source of the values of `source` in `range`.
  ///
  /// - Precondition: the source has these values.
  public init(_ source: any TensorSource, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= source.count, "\(range)")
    self.source = source
    self.range = range
  }

  /// The element type of the other source.
  public var elementType: ElementType { source.elementType }

  /// The number of values.
  public var count: Int { range.count }

  /// True if the other source is sequential.
  public var isSequential: Bool { source.isSequential }

  /// Reads from the other source.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try source.read(inSource(range), into: values)
  }

  /// Reads from the other source.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    try source.read(inSource(range), into: values)
  }

  /// Counts the overflows in the other source.
  public func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    try source.overflows(in: inSource(range))
  }

  private func inSource(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound + self.range.lowerBound..<range.upperBound + self.range.lowerBound
  }
}
