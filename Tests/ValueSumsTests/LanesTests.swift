import Testing
import ValueSums

@Suite struct LanesTests {
  @Test func `groups of eight are summed lane by lane, with their range`() {
    var lanes = Lanes()
    let values: [Float] = [1, 2, 3, 4, 5, 6, 7, 8, -10, 20, 30, 40, 50, 60, 70, 80]
    #expect(values.withUnsafeBufferPointer { lanes.add($0) } == -10...80)
    #expect(lanes.sums == [-9, 22, 33, 44, 55, 66, 77, 88])
    #expect(lanes.squares == [101, 404, 909, 1616, 2525, 3636, 4949, 6464])
    lanes.add(0.5, lane: 7)
    #expect(lanes.sums[7] == 88.5)
    #expect(lanes.squares[7] == 6464.25)
  }

  @Test(arguments: 0..<16, [Float.nan, .infinity, -.infinity])
  func `one value that is not finite is found wherever it is`(index: Int, value: Float) {
    var values = [Float](repeating: 1, count: 16)
    values[index] = value
    var lanes = Lanes()
    #expect(values.withUnsafeBufferPointer { lanes.add($0) } == nil)
  }

  @Test func `roundings are counted lane by lane`() throws {
    // To whole numbers, of which those below 2 count as subnormal.
    let values: [Float] = [0.25, 1.5, 3, -8, 0, -0.5, 2.5, 16]
    let rounded: [Float] = [0, 1, 3, -8, 0, -0.0, 2, 16]
    let found = values.withUnsafeBufferPointer { values in
      rounded.withUnsafeBufferPointer { rounded in
        RoundingLanes(
          values, rounded, count: 8, leastNormal: Int32(bitPattern: Float(2).bitPattern))
      }
    }
    let lanes = try #require(found)
    #expect(lanes.low == [0.25, 1.5, 3, -8, 0, -0.5, 2.5, 16])
    #expect(lanes.high == lanes.low)
    #expect(lanes.zeroed == [1, 0, 0, 0, 0, 1, 0, 0])
    #expect(lanes.subnormal == [0, 1, 0, 0, 0, 0, 0, 0])
    #expect(lanes.worst == [1, Float(1) / 3, 0, 0, 0, 1, 0.2, 0])
    #expect(lanes.errors == [0.0625, 0.25, 0, 0, 0, 0.25, 0.25, 0])
    #expect(lanes.squares == [0.0625, 2.25, 9, 64, 0, 0.25, 6.25, 256])
  }
}
