import ModelIR
import Testing

@Suite("Numbers as text")
struct NumeralTests {
  @Test(
    "what is no number shows neither sign nor bits",
    arguments: [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0xffff_ffff] as [UInt32])
  func notANumber(bits: UInt32) {
    #expect(numeral(Float(bitPattern: bits)) == "nan")
    #expect(numeral(Double(Float(bitPattern: bits))) == "nan")
  }

  @Test("infinities have a sign, and numbers all the digits that they need")
  func others() {
    #expect(numeral(Float.infinity) == "inf")
    #expect(numeral(-Double.infinity) == "-inf")
    #expect(numeral(Float(0.1)) == "0.1")
    #expect(numeral(0.1 + 0.2) == "0.30000000000000004")
  }
}
