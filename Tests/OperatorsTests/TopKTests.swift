import ModelIR
import Operators
import Testing

/// Of numpy's stable argsort.
@Suite struct TopKTests {
  private let x = NDArray<Double>(shape: [2, 4], values: [1, 3, 3, 2, .nan, 0, 5, -1])

  @Test(
    arguments: [
      (TopK(count: 3, axis: 1), [2, 3], [3, 3, 2, .nan, 5, 0]),
      (TopK(count: 3, axis: 1, result: .indices), [2, 3], [1, 2, 3, 0, 2, 1]),
      (
        TopK(count: 2, axis: -1, takesSmallest: true, result: .indices), [2, 2], [0, 3, 0, 3]
      ),
      (TopK(count: 1, axis: 0, result: .indices), [1, 4], [1, 0, 1, 0]),
    ] as [(TopK, [Int], [Double])])
  func `values in order, NaN first, and of equal ones the first`(
    operation: TopK, shape: [Int], expected: [Double]
  ) throws {
    let y = try operation.evaluate([x], [:])
    #expect(y.shape == shape)
    #expect(zip(y.values, expected).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN })
  }

  @Test func `more values than there are is an error`() {
    #expect(throws: NetconvError.self) {
      try TopK(count: 5, axis: 1).outputShape(for: [Shape([2, 4])])
    }
  }
}
