/// Values that lie one after the other in another source.
public struct SliceSource: TensorSource {
  /// Where they are.
  public let source: any TensorSource
  /// Which of them they are.
  public let range: Range<Int>

  /// The values of `source` at `range`.
  ///
  /// - Precondition: the source has these values.
  public init(_ source: any TensorSource, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= source.count, "\(range)")
    self.source = source
    self.range = range
  }

  /// The source's.
  public var elementType: ElementType { source.elementType }

  /// The number of values.
  public var count: Int { range.count }

  /// As the source does.
  public var isSequential: Bool { source.isSequential }

  /// Reads the source's values.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try source.read(inSource(range), into: values)
  }

  /// Reads the source's values.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    try source.read(inSource(range), into: values)
  }

  /// Asks the source.
  public func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    try source.overflows(in: inSource(range))
  }

  private func inSource(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound + self.range.lowerBound..<range.upperBound + self.range.lowerBound
  }
}
