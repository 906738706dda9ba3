import ModelIR
import Operators
import Testing

@Suite struct ReverseTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Reverse", cases: 2)
  }

  @Test func `twice is not at all`() throws {
    let x = NDArray<Double>(shape: [3, 2], values: [1, 2, 3, 4, 5, 6])
    let once = try Reverse().evaluate([x], [:])
    #expect(once.values == [5, 6, 3, 4, 1, 2])
    #expect(try Reverse().evaluate([once], [:]) == x)
  }
}
