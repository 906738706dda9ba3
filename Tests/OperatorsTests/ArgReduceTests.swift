import ModelIR
import Operators
import Testing

@Suite struct ArgReduceTests {
  /// Of x = np.arange(24).reshape(2, 3, 4) % 7: x.argmax(1), x.argmin(-1), x.argmax(0, keepdims=True).
  @Test(
    arguments: [
      (ArgReduce(.maximum, axis: 1), [2, 4], [1, 1, 1, 2, 2, 0, 1, 1]),
      (ArgReduce(.minimum, axis: -1), [2, 3], [0, 3, 0, 2, 0, 1]),
      (
        ArgReduce(.maximum, axis: 0, keepDimensions: true), [1, 3, 4],
        [1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0]
      ),
    ] as [(ArgReduce, [Int], [Double])])
  func `indices`(operation: ArgReduce, shape: [Int], expected: [Double]) throws {
    let x = NDArray<Double>(shape: [2, 3, 4], values: (0..<24).map { Double($0 % 7) })
    let y = try operation.evaluate([x], [:])
    #expect(y.shape == shape)
    #expect(y.values == expected)
  }

  @Test func `of equal values the first or the last, and a NaN wins`() throws {
    let x = NDArray<Double>(shape: [3, 4], values: [1, 3, 3, 2, 0, 0, 0, 0, 5, .nan, 9, .nan])
    #expect(try ArgReduce(.maximum, axis: 1).evaluate([x], [:]).values == [1, 0, 1])
    #expect(
      try ArgReduce(.maximum, axis: 1, takesLast: true).evaluate([x], [:]).values == [2, 3, 1])
    #expect(try ArgReduce(.minimum, axis: 1).evaluate([x], [:]).values == [0, 0, 1])
  }

  @Test func `indices that float32 does not hold are refused`() {
    #expect(throws: NetconvError.self) {
      try ArgReduce(.maximum, axis: 0).outputShape(for: [Shape([1 << 24 + 1, 2])])
    }
    #expect(throws: Never.self) {
      try ArgReduce(.maximum, axis: 0).outputShape(for: [Shape([1 << 24, 2])])
    }
  }
}
