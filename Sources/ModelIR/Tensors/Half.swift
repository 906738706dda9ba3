/// IEEE 754 binary16 as bit patterns; Swift's `Float16` does not exist on Intel Macs.
public enum Half {
  /// Returns the value of a binary16 bit pattern; exact.
  public static func float(from bits: UInt16) -> Float {
    let sign = UInt32(bits & 0x8000) << 16
    let exponent = UInt32(bits >> 10) & 0x1f
    let fraction = UInt32(bits & 0x3ff)
    switch exponent {
    case 0:
      // Subnormal: fraction · 2⁻²⁴, which binary32 holds exactly.
      let magnitude = Float(fraction) * 0x1p-24
      return Float(bitPattern: magnitude.bitPattern | sign)
    case 0x1f:
      return Float(bitPattern: sign | 0x7f80_0000 | fraction << 13)
    default:
      return Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
    }
  }

  /// Returns the binary16 bit pattern nearest to `value`, ties to even; values that are too large become infinite.
  public static func bits(from value: Float) -> UInt16 {
    let pattern = value.bitPattern
    let sign = UInt16(truncatingIfNeeded: pattern >> 16) & 0x8000
    let magnitude = pattern & 0x7fff_ffff
    if magnitude > 0x7f80_0000 {
      return sign | 0x7e00 | UInt16(truncatingIfNeeded: magnitude >> 13) & 0x3ff
    }
    if magnitude >= 0x477f_f000 { return sign | 0x7c00 }
    if magnitude < 0x3880_0000 {
      // Below the smallest normal number: adding 0.5 makes the adder round at 2⁻²⁴.
      let rounded = Float(bitPattern: magnitude) + 0.5
      return sign | UInt16(truncatingIfNeeded: rounded.bitPattern &- 0x3f00_0000)
    }
    let odd = (magnitude >> 13) & 1
    let rounded = magnitude &- 0x3800_0000 &+ 0xfff &+ odd
    return sign | UInt16(truncatingIfNeeded: rounded >> 13)
  }

  /// Returns the binary16 value nearest to `value` that is not farther from zero.
  package static func truncated(_ value: Float) -> Float {
    let magnitude = value.bitPattern & 0x7fff_ffff
    guard magnitude < 0x7f80_0000 else { return value }
    // The largest finite number.
    if magnitude >= 0x4780_0000 { return value < 0 ? -65504 : 65504 }
    if magnitude >= 0x3880_0000 { return Float(bitPattern: value.bitPattern & 0xffff_e000) }
    // Below the smallest normal number all values are multiples of 2⁻²⁴.
    return (value * 0x1p24).rounded(.towardZero) * 0x1p-24
  }
}
