import ModelIR
import Operators
import Testing

@Suite struct ReduceTests {
  /// Of x = np.arange(24).reshape(2, 3, 4) % 7 - 3: x.sum(1), x.mean((0, 2)), x.max(-1), x.min(0), x.prod((0, 1)).
  @Test(
    arguments: [
      (.sum, [1], [2, 4], [-4, -1, 2, -2, 4, 0, -4, -1]),
      (.mean, [0, 2], [3], [-0.75, 0.625, -0.625]),
      (.maximum, [-1], [2, 3], [0, 3, 1, 3, 2, 3]),
      (.minimum, [0], [3, 4], [-3, -2, -3, -2, -1, 0, 1, -3, -2, -3, -2, -1]),
      (.product, [0, 1], [4], [-36, 0, 0, 0]),
    ] as [(Reduce.Function, [Int], [Int], [Double])])
  func `functions`(
    function: Reduce.Function, axes: [Int], shape: [Int], expected: [Double]
  ) throws {
    let x = NDArray<Double>(shape: [2, 3, 4], values: (0..<24).map { Double($0 % 7 - 3) })
    let y = try Reduce(function, axes: AxisList(axes)).evaluate([x], [:])
    #expect(y.shape == shape)
    #expect(y.values == expected)
    let kept = try Reduce(function, axes: AxisList(axes), keepDimensions: true).evaluate([x], [:])
    #expect(kept.values == expected)
    #expect(kept.shape.count == 3)
  }

  @Test(arguments: Reduce.Function.allCases)
  func `no number stays none`(function: Reduce.Function) throws {
    let x = NDArray<Double>(shape: [2, 2], values: [1, .nan, 2, 3])
    let y = try Reduce(function, axes: [1]).evaluate([x], [:])
    #expect(y.values[0].isNaN)
    #expect(y.values[1].isFinite)
  }

  @Test func `of all axes one number is left`() throws {
    let x = NDArray<Double>(shape: [2, 3], values: [1, 2, 3, 4, 5, 6])
    let y = try Reduce(.sum, axes: [0, 1]).evaluate([x], [:])
    #expect(y.shape == [])
    #expect(y.values == [21])
    #expect(throws: NetconvError.self) {
      try Reduce(.sum, axes: [2]).outputShape(for: [Shape([2, 3])])
    }
  }
}
