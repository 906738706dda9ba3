/// Sums over values and their rounding errors, in eight lanes.
package struct RoundingLanes {
  package var low = SIMD8<Float>(repeating: .infinity)
  package var high = SIMD8<Float>(repeating: -.infinity)
  package var worst = SIMD8<Float>.zero
  package var subnormal = SIMD8<Int32>.zero
  package var zeroed = SIMD8<Int32>.zero
  package var errors = SIMD8<Double>.zero
  package var squares = SIMD8<Double>.zero

  /// Creates empty sums.
  package init() {}

  /// Creates the sums of `count` values, a multiple of eight; `nil` if a value is not finite or
  /// becomes infinite.
  ///
  /// Masks are differences shifted by 31 bits, which fills a lane with its sign.
  package init?(
    _ values: UnsafeBufferPointer<Float>, _ rounded: UnsafeBufferPointer<Float>, count: Int,
    leastNormal: Int32
  ) {
    let (from, to) = (UnsafeRawBufferPointer(values), UnsafeRawBufferPointer(rounded))
    var largest = SIMD8<Int32>.zero
    for offset in stride(from: 0, to: 4 * count, by: 32) {
      let value = from.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      let result = to.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      let magnitude = unsafeBitCast(value, to: SIMD8<Int32>.self) & 0x7fff_ffff
      let size = unsafeBitCast(result, to: SIMD8<Int32>.self) & 0x7fff_ffff
      largest = pointwiseMax(largest, size)
      low.replace(with: value, where: value .< low)
      high.replace(with: value, where: value .> high)
      let error = value - result
      let relative = unsafeBitCast(
        unsafeBitCast(error / value, to: SIMD8<Int32>.self) & 0x7fff_ffff, to: SIMD8<Float>.self)
      // 0 / 0 is NaN, which compares as not larger.
      worst.replace(with: relative, where: relative .> worst)
      let isZero = (size &- 1) &>> 31
      let isSmall = (size &- leastNormal) &>> 31
      zeroed &-= isZero & ~((magnitude &- 1) &>> 31)
      subnormal &-= isSmall & ~isZero & ~((magnitude &- 0x0080_0000) &>> 31)
      let (wideError, wideValue) = (SIMD8<Double>(error), SIMD8<Double>(value))
      errors += wideError * wideError
      squares += wideValue * wideValue
    }
    guard largest.max() < 0x7f80_0000 else { return nil }
  }
}
