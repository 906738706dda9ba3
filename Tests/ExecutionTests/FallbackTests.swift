import Execution
import ModelIR
import Operators
import Testing

/// An operator that only this test knows.
private struct Twice: Operator {
  static let name = "Twice"

  func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }
  var orderDependence: OrderDependence { .none }
  var valueEffect: ValueEffect { .computed }
  func fanIn(of inputs: [[Int]]) -> Int { 1 }

  func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape { inputs[0] }

  func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    guard inputs[0].values != [0, 0] else { throw NetconvError(.badData, "nothing to double") }
    return inputs[0].map { 2 * $0 }
  }
}

@Suite struct FallbackTests {
  private func doubled() throws -> Model {
    try chain([Activation(.relu), Twice(), Activation(.relu6)], input: Shape([2]))
  }

  @Test func `an operator without a fast kernel runs as it is defined, and is named`() throws {
    let engine = try FastEngine(try doubled())
    #expect(engine.fallbacks == ["y1"])
    let x = NDArray<Float>(shape: [3, 2], values: [-1, 1, 2, 3, 4, 5])
    #expect(
      try engine.run(["x0": x])["y2"] == NDArray(shape: [3, 2], values: [0, 2, 4, 6, 6, 6]))
  }

  @Test(arguments: EngineKind.allCases)
  func `its errors name the layer`(kind: EngineKind) throws {
    let x = NDArray<Float>(shape: [3, 2], values: [-1, 1, 0, 0, 4, 5])
    let engine = try kind.engine(for: try doubled())
    #expect(message { _ = try engine.run(["x0": x]) } == "layer 'y1': nothing to double")
  }
}
