import ModelIR
import Operators
import Testing

@Suite struct NormalizationTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Normalization", cases: 27, tolerance: 2 * functionTolerance)
  }

  @Test func `worked by hand`() throws {
    let x = NDArray<Double>(shape: [2, 2], values: [1, 2, 3, 4])
    let statistics = Normalization.Statistics(mean: [1, -2], variance: [4, 16])
    let y = try Normalization(statistics: statistics).evaluate([x], [:])
    #expect(y.values == [0, 1, 1, 1.5])
    #expect(try Normalization(invert: true, statistics: statistics).evaluate([y], [:]) == x)
  }

  @Test func `has parameters where the statistics are not known`() throws {
    let shape = Shape([nil, 3, 4])
    let both = try Normalization(axes: [1, 2]).parameters(for: [shape])
    #expect(both.map(\.role) == [.mean, .variance])
    #expect(both.map(\.sizes) == Array(repeating: [.width: 3, .channels: 4], count: 2))
    #expect(both.map(\.isOptional) == [false, false])
    #expect(
      try Normalization(axes: []).parameters(for: [shape]).map(\.sizes)
        == Array(repeating: [.channels: 1], count: 2))
    let statistics = Normalization.Statistics(mean: [1], variance: [2])
    #expect(try Normalization(statistics: statistics).parameters(for: [shape]).isEmpty)
  }

  @Test func `refuses statistics that do not fit`() {
    let statistics = Normalization.Statistics(mean: [1, 2, 3], variance: [1, 1, 1])
    #expect(
      message { () throws(NetconvError) in
        _ = try Normalization(statistics: statistics).outputShape(for: [Shape([2, 4])])
      } == "mean has 3 numbers, expected the size of its axes: (1, 4)")
    #expect(
      decodingProblem(Normalization.self, #"{"mean": [1], "variance": [1, 2]}"#)
        == "mean and variance must have the same number of values")
  }
}
