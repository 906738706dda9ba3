/// A positive real factor in fixed point: `mantissa` · 2^(`exponent` - 31).
///
/// Integers are multiplied by it without floating point, so that every machine has the same result.
///
/// Source: gemmlowp/fixedpoint/fixedpoint.h; tensorflow/lite/kernels/internal/common.cc and quantization_util.cc.
struct QuantizedMultiplier: Sendable, Equatable {
  /// The leading bits: 0, or from 2³⁰ to 2³¹ - 1.
  private(set) var mantissa: Int32
  /// The exponent of two; the factor is below 2^`exponent`.
  private(set) var exponent: Int

  /// Rounds a factor to 31 bits; factors below 2⁻³² become 0.
  ///
  /// - Precondition: the factor is finite and not negative.
  init(_ factor: Double) {
    guard factor > 0 else {
      (mantissa, exponent) = (0, 0)
      return
    }
    var bits = (factor.significand * 0x1p30).rounded(.toNearestOrAwayFromZero)
    exponent = Int(factor.exponent) + 1
    if bits == 0x1p31 {
      bits /= 2
      exponent += 1
    }
    mantissa = Int32(bits)
    if exponent < -31 { (mantissa, exponent) = (0, 0) }
  }

  /// Divides the factor by a count, as the reduction to a mean does: what is left over is dropped.
  func divided(by count: Int) -> QuantizedMultiplier {
    var shift = Int.bitWidth - 1 - count.leadingZeroBitCount
    shift = max(0, min(shift, 32, 31 + exponent))
    var result = self
    result.mantissa = Int32(truncatingIfNeeded: (Int64(mantissa) << Int64(shift)) / Int64(count))
    result.exponent -= shift
    return result
  }

  /// True if an integer times the factor's power of two, if that is above 1, has 32 bits.
  func takes(_ x: Int) -> Bool { Int32(exactly: x << max(0, exponent)) != nil }

  /// Multiplies and rounds twice: to the upper half of the product, then by the exponent.
  func callAsFunction(_ x: Int32) -> Int32 {
    let raised = exponent > 0 ? x << Int32(exponent) : x
    return raised.roundedHighProduct(mantissa).roundedShift(exponent > 0 ? 0 : -exponent)
  }

  /// Multiplies a sum of 48 bits by a factor of 16 bits, and rounds once.
  func wide(_ x: Int64) -> Int32 {
    let reduced: Int64 = mantissa < 0x7FFF_0000 ? (Int64(mantissa) + 1 << 15) >> 16 : 0x7FFF
    let shift = Int64(15 - exponent)
    return Int32(truncatingIfNeeded: (x &* reduced &+ 1 << (shift - 1)) >> shift)
  }
}

extension FixedWidthInteger where Self: SignedInteger {
  /// The upper half of twice the product, rounded half up; the largest value if it does not fit.
  func roundedHighProduct(_ other: Self) -> Self {
    if self == .min, other == .min { return .max }
    let half = Int64(1) << Int64(Self.bitWidth - 2)
    let product = Int64(self) * Int64(other)
    let nudged = product + (product >= 0 ? half : 1 - half)
    return Self(truncatingIfNeeded: nudged / (Int64(1) << Int64(Self.bitWidth - 1)))
  }

  /// The quotient by a power of two, rounded half away from zero.
  func roundedShift(_ exponent: Int) -> Self {
    let mask = Int64(1) << Int64(exponent) - 1
    let remainder = Int64(self) & mask
    let threshold = mask >> 1 + (self < 0 ? 1 : 0)
    return Self(
      truncatingIfNeeded: Int64(self) >> Int64(exponent) + (remainder > threshold ? 1 : 0))
  }
}
