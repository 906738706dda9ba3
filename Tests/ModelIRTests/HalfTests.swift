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

  /// Three blocks of 256 values and a few more, with `values` repeated over them.
  private static func blocks(of values: [Float]) -> [Float] {
    (0..<3 * 256 + 13).map { values[$0 % values.count] }
  }

  private static func expectSame(_ values: [Float]) {
    let expected = values.map { Half.bits(from: $0) }
    var patterns = [UInt16](repeating: 0, count: values.count)
    patterns.withUnsafeMutableBytes { bytes in
      values.withUnsafeBufferPointer { Half.encode($0, into: bytes) }
    }
    #expect(patterns == expected)
    var rounded = values
    rounded.withUnsafeMutableBufferPointer { Half.round($0) }
    #expect(
      rounded.map(\.bitPattern) == expected.map { Half.float(from: $0).bitPattern })
    let isInRange = values.withUnsafeBufferPointer { Half.areInRange($0) }
    #expect(isInRange == expected.allSatisfy { $0 & 0x7c00 != 0x7c00 })
  }

  @Test func `many values become the same as one by one`() {
    // Every upper half of a binary32 with lower halves next to where rounding turns.
    for lower: UInt32 in [
      0, 1, 0x0fff, 0x1000, 0x1001, 0x7fff, 0x8000, 0xefff, 0xf000, 0xf001, 0xffff,
    ] {
      for start in stride(from: UInt32(0), to: 0x1_0000, by: 1024) {
        Self.expectSame((start..<start + 1024).map { Float(bitPattern: $0 << 16 | lower) })
      }
    }
  }

  @Test(arguments: [0, 1, 255, 256, 300, 511, 512, 767, 768, 780])
  func `a value past the ends is treated alone, wherever it stands`(place: Int) {
    for value: Float in [65_519.996, 65_520, -70_000, .infinity, Float(bitPattern: 0xff81_2345)] {
      var values = Self.blocks(of: [0.1, -3e-6, 65_504, 0x1p-25, -0.0])
      values[place] = value
      Self.expectSame(values)
    }
  }

  @Test func `many patterns become the same as one by one`() {
    for start in stride(from: 0, to: 0x1_0000, by: 512) {
      let patterns = (start..<start + 512).map { UInt16($0) }
      var values = [Float](repeating: 0, count: 512)
      values.withUnsafeMutableBufferPointer { places in
        patterns.withUnsafeBytes { Half.decode($0, into: places) }
      }
      #expect(values.map(\.bitPattern) == patterns.map { Half.float(from: $0).bitPattern })
    }
  }
}
