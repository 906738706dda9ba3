import ModelIR
import Testing

/// Checked against the definition of binary16, computed exactly in Double.
@Suite struct HalfTests {
  /// (-1)^sign · fraction · 2^exponent, as IEEE 754 defines it.
  private static func value(_ bits: UInt16) -> Double {
    let fraction = Double(bits & 0x3ff)
    let exponent = Int(bits >> 10 & 0x1f)
    let magnitude =
      switch exponent {
      case 0: fraction * 0x1p-24
      case 31: fraction == 0 ? Double.infinity : .nan
      default: (1024 + fraction) * Double(sign: .plus, exponent: exponent - 25, significand: 1)
      }
    return bits >> 15 == 1 ? -magnitude : magnitude
  }

  @Test func `every pattern has its value, and comes back`() {
    let wrong = (UInt16.min...UInt16.max).filter { bits in
      let float = Half.float(from: bits)
      let expected = Self.value(bits)
      guard expected.isNaN else {
        return Double(float).bitPattern != expected.bitPattern || Half.bits(from: float) != bits
      }
      // A signalling NaN becomes quiet and keeps its other bits.
      return !float.isNaN || (float.sign == .minus) != (bits >> 15 == 1)
        || Half.bits(from: float) != bits | 0x200
    }
    #expect(wrong == [])
  }

  @Test func `rounds to the nearest, ties to even`() {
    let wrong = (UInt16(0)..<0x7bff).filter { lower in
      let upper = lower + 1
      let middle = Float((Self.value(lower) + Self.value(upper)) / 2)
      let even = lower & 1 == 0 ? lower : upper
      return [(middle.nextDown, lower), (middle, even), (middle.nextUp, upper)].contains {
        Half.bits(from: $0) != $1 || Half.bits(from: -$0) != $1 | 0x8000
      }
    }
    #expect(wrong == [])
  }

  @Test(
    arguments: [
      (65_504, 0x7bff), (65_519.996, 0x7bff), (65_520, 0x7c00), (65_536, 0x7c00), (3e38, 0x7c00),
      (.infinity, 0x7c00), (0x1p-24, 0x0001), (0x1p-25, 0x0000), (0x1.000002p-25, 0x0001),
      (0x1p-26, 0x0000), (0x1p-149, 0x0000), (0x1.ff8p-15, 0x03ff), (0x1.ffcp-15, 0x0400),
      (0x1p-14, 0x0400), (0, 0x0000), (1, 0x3c00), (0.1, 0x2e66), (1 / 3, 0x3555),
    ] as [(Float, UInt16)])
  func `rounds the ends of the range`(value: Float, bits: UInt16) {
    #expect(Half.bits(from: value) == bits)
    #expect(Half.bits(from: -value) == bits | 0x8000)
  }

  @Test func `a NaN stays one, also where its upper bits are zero`() {
    #expect(Half.bits(from: .nan) == 0x7e00)
    #expect(Half.bits(from: Float(bitPattern: 0x7f80_0001)) == 0x7e00)
    #expect(Half.bits(from: Float(bitPattern: 0xffff_ffff)) == 0xffff)
  }
}
