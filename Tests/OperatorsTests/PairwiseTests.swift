import ModelIR
import Operators
import Testing

@Suite struct PairwiseTests {
  /// Of a = [[-7, -2.5, 0], [2, 2.5, 7]] and b = [[2, -2.5, 3]]: NumPy's functions of these names, `floor_divide`,
  /// `remainder` for the modulo and `fmod` for the remainder.
  @Test(
    arguments: [
      (.and, [1, 1, 0, 1, 1, 1]), (.equal, [0, 1, 0, 1, 0, 0]),
      (.floorQuotient, [-4, 1, 0, 1, -1, 2]), (.greater, [0, 0, 0, 0, 1, 1]),
      (.greaterOrEqual, [0, 1, 0, 1, 1, 1]), (.less, [1, 0, 1, 0, 0, 0]),
      (.lessOrEqual, [1, 1, 1, 1, 0, 0]), (.modulo, [1, 0, 0, 0, 0, 1]),
      (.notEqual, [1, 0, 1, 0, 1, 1]), (.or, [1, 1, 1, 1, 1, 1]),
      (.remainder, [-1, 0, 0, 0, 0, 1]),
    ] as [(Pairwise.Function, [Double])])
  func `functions`(function: Pairwise.Function, expected: [Double]) throws {
    let a = NDArray<Double>(shape: [2, 3], values: [-7, -2.5, 0, 2, 2.5, 7])
    let b = NDArray<Double>(shape: [1, 3], values: [2, -2.5, 3])
    let y = try Pairwise(function).evaluate([a, b], [:])
    #expect(y.shape == [2, 3])
    #expect(y.values == expected)
    #expect(Pairwise(function).hasSteps)
  }

  @Test func `powers and signs`() throws {
    let a = NDArray<Double>(shape: [4], values: [2, 9, -2, -5.25])
    let b = NDArray<Double>(shape: [4], values: [10, 0.5, 3, 2])
    #expect(try Pairwise(.power).evaluate([a, b], [:]).values == [1024, 3, -8, 27.5625])
    #expect(!Pairwise(.power).hasSteps)
    let divisor = NDArray<Double>(shape: [4], values: [-3, 4, 3, 3])
    #expect(try Pairwise(.modulo).evaluate([a, divisor], [:]).values == [-1, 1, 1, 0.75])
    #expect(try Pairwise(.remainder).evaluate([a, divisor], [:]).values == [2, 1, -2, -2.25])
  }

  @Test func `two inputs of one rank`() {
    #expect(throws: NetconvError.self) {
      try Pairwise(.less).outputShape(for: [Shape([2, 3]), Shape([3])])
    }
    #expect(throws: NetconvError.self) {
      try Pairwise(.less).outputShape(for: [Shape([2, 3]), Shape([2, 4])])
    }
  }
}
