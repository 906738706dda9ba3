/// Floating-point numbers of 8 bits.
///
/// float32 holds each of them.
/// Source: OCP 8-bit Floating Point Specification (OFP8), revision 1.0, section 5; OCP Microscaling Formats (MX)
/// Specification, version 1.0, section 5.4 (E8M0); "8-bit Numerical Formats for Deep Neural Networks", arXiv:2206.02915
/// (FNUZ).
public enum Float8: String, Sendable, CaseIterable {
  /// 4 bits of exponent, 3 of fraction, no infinity.
  case e4m3 = "F8_E4M3"
  /// 5 bits of exponent, 2 of fraction, as IEEE 754 would have it.
  case e5m2 = "F8_E5M2"
  /// As ``e4m3`` with a bias of 8, one zero, and one code for no number.
  case e4m3fnuz = "F8_E4M3FNUZ"
  /// As ``e5m2`` with a bias of 16, one zero, one code for no number, no infinity.
  case e5m2fnuz = "F8_E5M2FNUZ"
  /// Powers of 2, from 2⁻¹²⁷ on, and one code for no number.
  case e8m0 = "F8_E8M0"

  /// The number of each code.
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

  /// A number with its sign in the highest bit, an exponent of the rest, and a fraction below.
  private static func number(_ code: UInt8, fractionBits: Int, bias: Int) -> Float {
    let exponent = Int(code & 0x7f) >> fractionBits
    let fraction = Int(code) & (1 << fractionBits - 1)
    let whole = exponent == 0 ? fraction : 1 << fractionBits + fraction
    return Float(
      sign: code < 0x80 ? .plus : .minus, exponent: max(exponent, 1) - bias - fractionBits,
      significand: Float(whole))
  }
}
