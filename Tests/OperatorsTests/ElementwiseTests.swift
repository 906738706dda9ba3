import ModelIR
import Operators
import Testing

@Suite struct ElementwiseTests {
  /// At 0.3: NumPy's and SciPy's functions of these names.
  @Test(
    arguments: [
      (Elementwise(.absolute), 0.3), (Elementwise(.arcCosine), 1.2661036727794992),
      (Elementwise(.arcSine), 0.3046926540153975), (Elementwise(.arcTangent), 0.2914567944778671),
      (Elementwise(.cosine), 0.955336489125606), (Elementwise(.errorFunction), 0.3286267594591274),
      (Elementwise(.complementaryErrorFunction), 0.6713732405408726),
      (Elementwise(.exponentialMinusOne), 0.3498588075760031),
      (Elementwise(.hyperbolicCosine), 1.0453385141288605),
      (Elementwise(.hyperbolicSine), 0.3045202934471426),
      (Elementwise(.logarithm), -1.2039728043259361),
      (Elementwise(.logarithmOfOnePlus), 0.26236426446749106),
      (Elementwise(power: 2.5), 0.04929503017546495),
      (Elementwise(.reciprocal), 3.3333333333333335),
      (Elementwise(.reciprocalSquareRoot), 1.8257418583505538),
      (Elementwise(.sine), 0.29552020666133955), (Elementwise(.squareRoot), 0.5477225575051661),
      (Elementwise(.tangent), 0.30933624960962325), (Elementwise(.ceiling), 1.0),
      (Elementwise(.floor), 0.0), (Elementwise(.inverseHyperbolicSine), 0.29567304756342244),
      (Elementwise(.inverseHyperbolicTangent), 0.3095196042031117), (Elementwise(.round), 0.0),
      (Elementwise(.sign), 1.0), (Elementwise(.truncate), 0.0),
    ])
  func `functions`(operation: Elementwise, expected: Double) throws {
    let x = NDArray<Double>(shape: [2, 1], values: [0.3, .nan])
    let y = try operation.evaluate([x], [:])
    #expect(y.shape == [2, 1])
    #expect(abs(y.values[0] - expected) <= 1e-15 * abs(expected))
    #expect(y.values[1].isNaN)
  }

  /// NumPy's floor, ceil, rint, sign, trunc and logical_not.
  @Test func `steps`() throws {
    let x = NDArray<Double>(
      shape: [8], values: [-2.5, -1.5, -0.5, 0, 0.5, 1.5, 2.5, 16_777_217.5])
    let expected: [Elementwise.Function: [Double]] = [
      .floor: [-3, -2, -1, 0, 0, 1, 2, 16_777_217], .ceiling: [-2, -1, 0, 0, 1, 2, 3, 16_777_218],
      .round: [-2, -2, 0, 0, 0, 2, 2, 16_777_218], .sign: [-1, -1, -1, 0, 1, 1, 1, 1],
      .truncate: [-2, -1, 0, 0, 0, 1, 2, 16_777_217], .not: [0, 0, 0, 1, 0, 0, 0, 0],
    ]
    for (function, values) in expected {
      #expect(try Elementwise(function).evaluate([x], [:]).values == values, "\(function)")
      #expect(Elementwise(function).hasSteps)
    }
    #expect(!Elementwise(.sine).hasSteps)
    let above = NDArray<Double>(shape: [1], values: [1.3])
    let cosine = try Elementwise(.inverseHyperbolicCosine).evaluate([above], [:]).values[0]
    #expect(abs(cosine - 0.7564329108569596) <= 1e-15)
  }

  @Test func `every function is tried`() {
    #expect(Elementwise.Function.allCases.count == 27)
  }
}
