import Testing
import ValueSums

@Suite struct FiniteRangeTests {
  @Test func `the range is that of finite values, and the first other one is known`() {
    var range = FiniteRange()
    for (start, values) in [(0, [3, -1]), (2, [.infinity, 7, .nan])] as [(Int, [Float])] {
      values.withUnsafeBufferPointer { range.add($0, from: start) }
    }
    #expect((range.smallest, range.largest) == (-1, 7))
    #expect(range.firstNotFinite == 2)
    #expect(range.firstNotFiniteValue == .infinity)
    #expect(range.notFinite == 2)
  }

  @Test func `without a finite value there is no range`() {
    var range = FiniteRange()
    [Float.nan].withUnsafeBufferPointer { range.add($0, from: 5) }
    #expect(range.smallest > range.largest)
    #expect(range.firstNotFinite == 5)
  }

  @Test func `bytes have a range unless there are none`() {
    #expect([UInt8]([7, 0, 255, 3]).withUnsafeBufferPointer(byteRange) == 0...255)
    #expect([UInt8]([9]).withUnsafeBufferPointer(byteRange) == 9...9)
    #expect([UInt8]([]).withUnsafeBufferPointer(byteRange) == nil)
  }
}
