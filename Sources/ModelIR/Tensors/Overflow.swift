/// The finite values that became infinite in a narrower type.
public struct Overflow: Sendable, Equatable {
  /// The number of such values.
  public private(set) var count = 0
  /// The index of the first; `nil` if there is none.
  public private(set) var first: Int?
  /// The largest of their magnitudes.
  public private(set) var largest = 0.0

  /// Creates an empty record.
  public init() {}

  /// Records `value`, which has the given index.
  public mutating func note(_ value: Double, at index: Int) {
    count += 1
    first = min(first ?? index, index)
    largest = max(largest, value.magnitude)
  }

  /// Merges the overflows of another part of the same tensor.
  public mutating func add(_ other: Overflow) {
    count += other.count
    if let index = other.first { first = min(first ?? index, index) }
    largest = max(largest, other.largest)
  }

  /// Finds overflows among stored float64 values, the first of which has the index `start`.
  ///
  /// - Precondition: `bytes` contains a whole number of values.
  public init(ofFloat64 bytes: UnsafeRawBufferPointer, _ order: ByteOrder, from start: Int) {
    for index in 0..<bytes.count / 8 {
      let stored = bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
      let value = Double(
        bitPattern: order == .little ? UInt64(littleEndian: stored) : UInt64(bigEndian: stored))
      if value.isFinite, Float(value).isInfinite { note(value, at: start + index) }
    }
  }
}
