/// Conversion of arrays with portable integer arithmetic, eight values at once; equivalent to ``Half/bits(from:)``.
///
/// Blocks that contain an out-of-range value, infinity or NaN are converted value by value. Comparisons are differences
/// whose sign is extended over a lane, because the compiler scalarises masks.
extension Half {
  private typealias Lanes = SIMD8<Int32>

  private static let blockCount = 256

  /// Rounds `values` to binary16 bit patterns in native byte order.
  ///
  /// - Parameter patterns: two bytes for each value.
  public static func encode(
    _ values: UnsafeBufferPointer<Float>, into patterns: UnsafeMutableRawBufferPointer
  ) {
    precondition(patterns.count >= 2 * values.count, "two bytes for each value")
    let floats = UnsafeRawBufferPointer(values)
    forEachBlock(of: values.count) { block in
      if block.count == blockCount, largestMagnitude(floats, block) < firstInfinite {
        for index in stride(from: block.lowerBound, to: block.upperBound, by: 8) {
          let group = floats.loadUnaligned(fromByteOffset: 4 * index, as: Lanes.self)
          patterns.storeBytes(
            of: SIMD8<UInt16>(truncatingIfNeeded: bits(from: group)), toByteOffset: 2 * index,
            as: SIMD8<UInt16>.self)
        }
      } else {
        for index in block {
          patterns.storeBytes(
            of: bits(from: values[index]), toByteOffset: 2 * index, as: UInt16.self)
        }
      }
    }
  }

  /// Converts binary16 bit patterns in native byte order to float32.
  ///
  /// - Parameter patterns: two bytes for each value.
  public static func decode(
    _ patterns: UnsafeRawBufferPointer, into values: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(patterns.count >= 2 * values.count, "two bytes for each value")
    let floats = UnsafeMutableRawBufferPointer(values)
    forEachBlock(of: values.count) { block in
      if block.count == blockCount, areFinite(patterns, block) {
        for index in stride(from: block.lowerBound, to: block.upperBound, by: 8) {
          let group = patterns.loadUnaligned(fromByteOffset: 2 * index, as: SIMD8<UInt16>.self)
          floats.storeBytes(
            of: floatBits(from: Lanes(truncatingIfNeeded: group)), toByteOffset: 4 * index,
            as: Lanes.self)
        }
      } else {
        for index in block {
          values[index] = float(
            from: patterns.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
        }
      }
    }
  }

  /// Rounds each of `values` to the nearest binary16 value.
  public static func round(_ values: UnsafeMutableBufferPointer<Float>) {
    let floats = UnsafeMutableRawBufferPointer(values)
    forEachBlock(of: values.count) { block in
      let isInRange =
        block.count == blockCount
        && largestMagnitude(UnsafeRawBufferPointer(floats), block) < firstInfinite
      if isInRange {
        for index in stride(from: block.lowerBound, to: block.upperBound, by: 8) {
          let group = floats.loadUnaligned(fromByteOffset: 4 * index, as: Lanes.self)
          floats.storeBytes(
            of: floatBits(from: bits(from: group)), toByteOffset: 4 * index, as: Lanes.self)
        }
      } else {
        for index in block { values[index] = float(from: bits(from: values[index])) }
      }
    }
  }

  /// Returns true if all of `values` stay finite in binary16.
  public static func areInRange(_ values: UnsafeBufferPointer<Float>) -> Bool {
    let whole = values.count / 8 * 8
    return largestMagnitude(UnsafeRawBufferPointer(values), 0..<whole) < firstInfinite
      && values[whole...].allSatisfy { $0.magnitude.bitPattern < UInt32(firstInfinite) }
  }

  private static func forEachBlock(of count: Int, _ body: (Range<Int>) -> Void) {
    for start in stride(from: 0, to: count, by: blockCount) {
      body(start..<min(start + blockCount, count))
    }
  }
}

// MARK: - Eight values

extension Half {
  /// The bit pattern of 65,520, the smallest binary32 value that rounds to infinity.
  private static let firstInfinite: Int32 = 0x477f_f000

  /// Returns the largest bit pattern, without sign, of the values in `range`, which are whole groups of eight.
  @inline(__always)
  private static func largestMagnitude(
    _ values: UnsafeRawBufferPointer, _ range: Range<Int>
  ) -> Int32 {
    var largest = Lanes.zero
    for index in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      let group = values.loadUnaligned(fromByteOffset: 4 * index, as: Lanes.self)
      largest = pointwiseMax(largest, group & 0x7fff_ffff)
    }
    return largest.max()
  }

  /// Returns true if all binary16 bit patterns in `range`, whole groups of eight, are finite.
  @inline(__always)
  private static func areFinite(_ patterns: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    var largest = SIMD8<Int16>.zero
    for index in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      let group = patterns.loadUnaligned(fromByteOffset: 2 * index, as: SIMD8<Int16>.self)
      largest = pointwiseMax(largest, group & 0x7fff)
    }
    return largest.max() < 0x7c00
  }

  /// - Precondition: the values are below ``firstInfinite``.
  @inline(__always)
  private static func bits(from patterns: Lanes) -> Lanes {
    let magnitude = patterns & 0x7fff_ffff
    let odd = (magnitude &>> 13) & 1
    let normal = (magnitude &- (0x3800_0000 - 0xfff) &+ odd) &>> 13
    let shifted = unsafeBitCast(magnitude, to: SIMD8<Float>.self) + 0.5
    let subnormal = unsafeBitCast(shifted, to: Lanes.self) &- 0x3f00_0000
    let isSubnormal = (magnitude &- 0x3880_0000) &>> 31
    return (subnormal & isSubnormal) | (normal & ~isSubnormal) | ((patterns &>> 16) & 0x8000)
  }

  /// - Precondition: the patterns are of finite values.
  @inline(__always)
  private static func floatBits(from halves: Lanes) -> Lanes {
    let magnitude = halves & 0x7fff
    let normal = (magnitude &<< 13) &+ 0x3800_0000
    let subnormal = unsafeBitCast(SIMD8<Float>(magnitude) * 0x1p-24, to: Lanes.self)
    let isSubnormal = (magnitude &- 0x400) &>> 31
    return (subnormal & isSubnormal) | (normal & ~isSubnormal) | ((halves & 0x8000) &<< 16)
  }
}
