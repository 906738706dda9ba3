import Testing
import ValueSums

@Suite struct SameBitsTests {
  @Test(arguments: 0..<6)
  func `one bit of any value makes them different`(count: Int) {
    let values = (0..<count).map { Float($0) }
    values.withUnsafeBufferPointer { values in
      #expect(haveSameBits(values, Array(values)))
      #expect(!haveSameBits(values, values + [0]))
      for index in values.indices {
        var others = Array(values)
        others[index] = Float(bitPattern: others[index].bitPattern ^ 1 << 31)
        #expect(!haveSameBits(values, others))
      }
    }
  }

  @Test func `the same number in other bits is not the same`() {
    [Double.nan, 0].withUnsafeBufferPointer { values in
      #expect(haveSameBits(values, [.nan, 0]))
      #expect(!haveSameBits(values, [.nan, -0.0]))
    }
  }
}
