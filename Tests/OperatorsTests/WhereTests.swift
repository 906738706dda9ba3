import ModelIR
import Operators
import Testing

@Suite struct WhereTests {
  @Test func `any number but 0 is true, and what is not chosen does not count`() throws {
    let condition = NDArray<Double>(shape: [2, 1], values: [0.5, 0])
    let first = NDArray<Double>(shape: [1, 3], values: [1, 2, 3])
    let second = NDArray<Double>(shape: [2, 3], values: [.nan, .infinity, 6, 7, 8, 9])
    let y = try Where().evaluate([condition, first, second], [:])
    #expect(y.shape == [2, 3])
    #expect(y.values == [1, 2, 3, 7, 8, 9])
  }
}
