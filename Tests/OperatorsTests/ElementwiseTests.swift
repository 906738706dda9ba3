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
      (Elementwise(.tangent), 0.30933624960962325),
    ])
  func `functions`(operation: Elementwise, expected: Double) throws {
    let x = NDArray<Double>(shape: [2, 1], values: [0.3, .nan])
    let y = try operation.evaluate([x], [:])
    #expect(y.shape == [2, 1])
    #expect(abs(y.values[0] - expected) <= 1e-15 * abs(expected))
    #expect(y.values[1].isNaN)
  }

  @Test func `every function is tried`() {
    #expect(Elementwise.Function.allCases.count == 18)
  }
}
