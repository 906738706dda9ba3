/// bfloat16 values, the upper half of binary32, as bit patterns.
public enum BFloat16 {
  /// Returns the value of a bfloat16 bit pattern; exact.
  public static func float(from bits: UInt16) -> Float { Float(bitPattern: UInt32(bits) << 16) }

  /// Returns the bfloat16 bit pattern nearest to `value`, ties to even; out-of-range values become infinite.
  ///
  /// A NaN becomes quiet and keeps the upper bits of its payload.
  public static func bits(from value: Float) -> UInt16 {
    let pattern = value.bitPattern
    guard !value.isNaN else { return UInt16(truncatingIfNeeded: pattern >> 16) | 0x40 }
    let odd = (pattern >> 16) & 1
    return UInt16(truncatingIfNeeded: (pattern &+ 0x7fff &+ odd) >> 16)
  }
}

// MARK: - Many values

/// Conversion of arrays with portable integer arithmetic, eight values at once; equivalent to ``BFloat16/bits(from:)``.
extension BFloat16 {
  private typealias Lanes = SIMD8<Int32>

  /// Rounds `values` to bfloat16 bit patterns in native byte order.
  ///
  /// - Parameter patterns: two bytes for each value.
  public static func encode(
    _ values: UnsafeBufferPointer<Float>, into patterns: UnsafeMutableRawBufferPointer
  ) {
    precondition(patterns.count >= 2 * values.count, "two bytes for each value")
    let floats = UnsafeRawBufferPointer(values)
    let whole = values.count / 8 * 8
    for index in stride(from: 0, to: whole, by: 8) {
      let group = floats.loadUnaligned(fromByteOffset: 4 * index, as: Lanes.self)
      patterns.storeBytes(
        of: SIMD8<UInt16>(truncatingIfNeeded: rounded(group) &>> 16), toByteOffset: 2 * index,
        as: SIMD8<UInt16>.self)
    }
    for index in whole..<values.count {
      patterns.storeBytes(of: bits(from: values[index]), toByteOffset: 2 * index, as: UInt16.self)
    }
  }

  /// Rounds each of `values` to the nearest bfloat16 value.
  public static func round(_ values: UnsafeMutableBufferPointer<Float>) {
    let floats = UnsafeMutableRawBufferPointer(values)
    let whole = values.count / 8 * 8
    for index in stride(from: 0, to: whole, by: 8) {
      let group = floats.loadUnaligned(fromByteOffset: 4 * index, as: Lanes.self)
      floats.storeBytes(
        of: rounded(group) & Int32(bitPattern: 0xffff_0000), toByteOffset: 4 * index,
        as: Lanes.self)
    }
    for index in whole..<values.count { values[index] = float(from: bits(from: values[index])) }
  }

  /// Returns the bit patterns with rounded upper halves; masks are signs extended over a lane.
  @inline(__always)
  private static func rounded(_ patterns: Lanes) -> Lanes {
    let odd = (patterns &>> 16) & 1
    let number = patterns &+ 0x7fff &+ odd
    let isNumber = ((patterns & 0x7fff_ffff) &- 0x7f80_0001) &>> 31
    return (number & isNumber) | ((patterns | 0x40_0000) & ~isNumber)
  }
}
