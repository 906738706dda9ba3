/// A source of a tensor's values: a reference into a file rather than an array.
///
/// Values are read in panels, so that large tensors never have to be in memory as a whole.
public protocol TensorSource: Sendable {
  /// The element type of the stored values.
  var elementType: ElementType { get }

  /// The number of values.
  var count: Int { get }

  /// True if sequential reads are much faster than random access.
  var isSequential: Bool { get }

  /// Reads the values in `range`, converted to float32, in stored order.
  ///
  /// Integers and float64 are rounded to nearest even; float16 is exact.
  /// - Parameters:
  ///   - range: linear indices, within `0..<count`.
  ///   - values: a buffer with as many elements as `range`.
  /// - Throws: `inputOutput` or `badData` if the values cannot be read.
  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError)

  /// Reads the values in `range`, converted to float64, in stored order.
  ///
  /// Only 64-bit integers are rounded.
  /// - Parameters:
  ///   - range: linear indices, within `0..<count`.
  ///   - values: a buffer with as many elements as `range`.
  /// - Throws: as for float32.
  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError)

  /// Counts the values in `range` that are stored as finite numbers but overflow float32.
  ///
  /// ``read(_:into:)`` returns infinity for them.
  /// - Throws: as ``read(_:into:)``.
  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow
}

extension TensorSource {
  /// False by default.
  public var isSequential: Bool { false }

  /// Reads float32 values and widens them: correct if float32 represents all of them; views ask their source instead.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    let floats = UnsafeMutableBufferPointer<Float>.allocate(capacity: range.count)
    defer { floats.deallocate() }
    try read(range, into: floats)
    for index in values.indices { values[index] = Double(floats[index]) }
  }

  /// None: among the element types, only float64 can overflow float32.
  public func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow { Overflow() }
}

/// Values in memory.
public struct ArraySource: TensorSource {
  /// The values, in stored order.
  public let values: [Float]

  /// Creates a source of `values`.
  public init(_ values: [Float]) {
    self.values = values
  }

  /// float32.
  public var elementType: ElementType { .float32 }

  /// The number of values.
  public var count: Int { values.count }

  /// Copies the values in `range`.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    _ = values.update(fromContentsOf: self.values[range])
  }
}
