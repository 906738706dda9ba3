/// The element-wise sums of two tensors, rounded once to float32.
public struct SumSource: TensorSource {
  private let terms: [any TensorSource]

  /// Creates the sums of `first` and `second`.
  ///
  /// - Precondition: both have the same number of values.
  public init(_ first: any TensorSource, _ second: any TensorSource) {
    precondition(first.count == second.count, "\(first.count) and \(second.count) values")
    terms = [first, second]
  }

  /// float32, whatever the element types of the terms.
  public var elementType: ElementType { .float32 }
  /// The number of sums.
  public var count: Int { terms[0].count }
  /// True if a term is sequential.
  public var isSequential: Bool { terms.contains { $0.isSequential } }

  /// Reads the sums in `range`, rounded once.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let sums = UnsafeMutableBufferPointer<Double>.allocate(capacity: range.count)
    defer { sums.deallocate() }
    try read(range, into: sums)
    for index in values.indices { values[index] = Float(sums[index]) }
  }

  /// Reads the sums in `range` in float64.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    let others = UnsafeMutableBufferPointer<Double>.allocate(capacity: range.count)
    defer { others.deallocate() }
    try terms[0].read(range, into: values)
    try terms[1].read(range, into: others)
    for index in values.indices { values[index] += others[index] }
  }

  /// Counts the terms in `range` that float32 cannot represent.
  public func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    var overflow = Overflow()
    for term in terms { overflow.add(try term.overflows(in: range)) }
    return overflow
  }
}
