/// FP8 formats.
///
/// float32 represents all their values exactly.
/// Source: OCP 8-bit Floating Point Specification (OFP8), revision 1.0, section 5; OCP Microscaling Formats (MX)
/// Specification, version 1.0, section 5.4 (E8M0); "8-bit Numerical Formats for Deep Neural Networks", arXiv:2206.02915
/// (FNUZ).
public enum Float8: String, Sendable, CaseIterable {
  /// 4 exponent bits and 3 fraction bits, without infinity.
  case e4m3 = "F8_E4M3"
  /// 5 exponent bits and 2 fraction bits, following IEEE 754.
  case e5m2 = "F8_E5M2"
  /// ``e4m3`` with a bias of 8, a single NaN, and no negative zero.
  case e4m3fnuz = "F8_E4M3FNUZ"
  /// ``e5m2`` with a bias of 16, a single NaN, no infinity, and no negative zero.
  case e5m2fnuz = "F8_E5M2FNUZ"
  /// Powers of 2 from 2⁻¹²⁷ to 2¹²⁷, and a single NaN.
  case e8m0 = "F8_E8M0"

  /// The value of each code.
  public var numbers: [Float] { (0...UInt8.max).map(number) }

  private func number(_ code: UInt8) -> Float {
    switch self {
    case .e4m3: code & 0x7f == 0x7f ? .nan : Self.number(code, fractionBits: 3, bias: 7)
    case .e5m2:
      switch code & 0x7f {
      case 0x7c: code == 0x7c ? .infinity : -.infinity
      case 0x7d...: .nan
      default: Self.number(code, fractionBits: 2, bias: 15)
      }
    case .e4m3fnuz: code == 0x80 ? .nan : Self.number(code, fractionBits: 3, bias: 8)
    case .e5m2fnuz: code == 0x80 ? .nan : Self.number(code, fractionBits: 2, bias: 16)
    case .e8m0: code == 0xff ? .nan : Float(sign: .plus, exponent: Int(code) - 127, significand: 1)
    }
  }

  /// Decodes a code of sign, exponent and fraction bits.
  private static func number(_ code: UInt8, fractionBits: Int, bias: Int) -> Float {
    let exponent = Int(code & 0x7f) >> fractionBits
    let fraction = Int(code) & (1 << fractionBits - 1)
    let whole = exponent == 0 ? fraction : 1 << fractionBits + fraction
    return Float(
      sign: code < 0x80 ? .plus : .minus, exponent: max(exponent, 1) - bias - fractionBits,
      significand: Float(whole))
  }
}
