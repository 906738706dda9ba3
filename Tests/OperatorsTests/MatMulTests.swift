import ModelIR
import Operators
import Testing

@Suite struct MatMulTests {
  private func values(_ shape: [Int], modulo: Int, minus: Int) -> NDArray<Double> {
    NDArray(
      shape: shape, values: (0..<shape.reduce(1, *)).map { Double($0 % modulo - minus) })
  }

  /// a @ np.swapaxes(b, -1, -2) of np.arange(24).reshape(2, 1, 3, 4) % 7 - 3 and np.arange(60).reshape(1, 3, 5, 4) % 5 - 2.
  @Test func `matrices of stacks that are repeated`() throws {
    let (a, b) = (
      values([2, 1, 3, 4], modulo: 7, minus: 3), values([1, 3, 5, 4], modulo: 5, minus: 2)
    )
    let y = try MatMul(transposesSecond: true).evaluate([a, b], [:])
    #expect(y.shape == [2, 3, 3, 5])
    #expect(
      Array(y.values[75...]) == [-9, 1, 16, 1, -9, 4, -3, -5, -2, 6, -4, 14, 2, -5, -7])
    #expect(
      Array(y.values[15..<30]) == [8, -1, -5, -4, 2, -7, -5, 2, 14, -4, 6, -2, -5, -3, 4])
    #expect(MatMul(transposesSecond: true).fanIn(of: [a.shape, b.shape]) == 4)
    #expect(MatMul(transposesFirst: true).fanIn(of: [[2, 3, 4], [2, 3, 5]]) == 3)
  }

  @Test func `what is no product is refused`() {
    func shape(_ operation: MatMul, _ first: [Int?], _ second: [Int?]) -> Shape? {
      try? operation.outputShape(for: [Shape(first), Shape(second)])
    }
    #expect(shape(MatMul(), [3, 4], [4, 5]) == Shape([3, 5]))
    #expect(shape(MatMul(transposesFirst: true), [4, nil], [4, 5]) == Shape([nil, 5]))
    #expect(shape(MatMul(), [2, 3, nil], [1, 4, 5]) == Shape([2, 3, 5]))
    #expect(shape(MatMul(), [3, 4], [5, 4]) == nil)
    #expect(shape(MatMul(), [4], [4, 5]) == nil)
    #expect(shape(MatMul(), [2, 3, 4], [4, 5]) == nil)
    #expect(shape(MatMul(), [2, 3, 4], [3, 4, 5]) == nil)
  }
}
