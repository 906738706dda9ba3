/// Where a tensor's values are: a reference into a file, not an array.
///
/// Values are asked for in panels, so that no tensor has to be held whole because it is large.
public protocol TensorSource: Sendable {
  /// How the values are stored.
  var elementType: ElementType { get }

  /// The number of values.
  var count: Int { get }

  /// Whether reading from front to back is much faster than reading here and there.
  var isSequential: Bool { get }

  /// Reads the values at `range`, converted to float32, in stored order.
  ///
  /// Integers and float64 are rounded to nearest even; float16 is exact.
  /// - Parameters:
  ///   - range: linear indices, within `0..<count`.
  ///   - values: as many places as `range` has indices.
  /// - Throws: `inputOutput` or `badData` if the values cannot be had.
  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError)

  /// Reads the values at `range`, converted to float64, in stored order.
  ///
  /// Only integers of 64 bits are rounded.
  /// - Parameters:
  ///   - range: linear indices, within `0..<count`.
  ///   - values: as many places as `range` has indices.
  /// - Throws: as for float32.
  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError)

  /// Counts the values at `range` that are finite as they are stored, but that float32 cannot hold.
  ///
  /// ``read(_:into:)`` gives infinity for them.
  /// - Throws: as ``read(_:into:)``.
  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow
}

extension TensorSource {
  /// No.
  public var isSequential: Bool { false }

  /// Widens what float32 holds: right where it holds all values; what reads from another source asks that one.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    let floats = UnsafeMutableBufferPointer<Float>.allocate(capacity: range.count)
    defer { floats.deallocate() }
    try read(range, into: floats)
    for index in values.indices { values[index] = Double(floats[index]) }
  }

  /// None: of all element types, only float64 has such values.
  public func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow { Overflow() }
}

/// Values that are already in memory.
public struct ArraySource: TensorSource {
  /// The values, in stored order.
  public let values: [Float]

  /// A source of `values`.
  public init(_ values: [Float]) {
    self.values = values
  }

  /// float32.
  public var elementType: ElementType { .float32 }

  /// The number of values.
  public var count: Int { values.count }

  /// Copies the values at `range`.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    _ = values.update(fromContentsOf: self.values[range])
  }
}
