/// Eight independent sums, which avoid the latency of dependent additions.
package struct Lanes {
  package static let count = 8

  package private(set) var sums = SIMD8<Double>.zero
  package private(set) var squares = SIMD8<Double>.zero

  /// Creates empty sums.
  package init() {}

  /// Adds a value to one lane.
  package mutating func add(_ value: Float, lane: Int) {
    let value = Double(value)
    sums[lane] += value
    squares[lane] += value * value
  }

  /// Adds values to the lanes in turn.
  ///
  /// - Precondition: The number of values is a multiple of ``count``.
  /// - Returns: The smallest and the largest value; `nil` if a value is not finite, which makes the
  ///   sums invalid.
  package mutating func add(_ values: UnsafeBufferPointer<Float>) -> ClosedRange<Float>? {
    let exponent = SIMD8<UInt32>(repeating: 0x7f80_0000)
    let bytes = UnsafeRawBufferPointer(values)
    var low = SIMD8<Float>(repeating: .infinity)
    var high = SIMD8<Float>(repeating: -.infinity)
    var notFinite = SIMDMask<SIMD8<Int32>>(repeating: false)
    for offset in stride(from: 0, to: bytes.count, by: MemoryLayout<SIMD8<Float>>.size) {
      let group = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      notFinite .|= unsafeBitCast(group, to: SIMD8<UInt32>.self) & exponent .== exponent
      low.replace(with: group, where: group .< low)
      high.replace(with: group, where: group .> high)
      let wide = SIMD8<Double>(group)
      sums += wide
      squares += wide * wide
    }
    return any(notFinite) ? nil : low.min()...high.max()
  }
}
