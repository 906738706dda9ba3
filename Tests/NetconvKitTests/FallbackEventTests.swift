import Execution
import ModelIR
import NetconvKit
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
  ) throws(NetconvError) -> NDArray<Double> { inputs[0].map { 2 * $0 } }
}

@Suite struct FallbackEventTests {
  private func event(layers names: [String], _ kind: EngineKind = .fast) throws -> Event {
    var layers: [LayerDefinition] = []
    for name in names {
      layers.append(
        LayerDefinition(name: name, operation: Twice(), inputs: [layers.last?.name ?? "x"]))
    }
    let model = try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape([2]))], layers: layers,
      outputs: [names[names.count - 1]])
    return .fallbacks(of: try kind.engine(for: model))
  }

  @Test func `layers without a fast kernel are named`() throws {
    #expect(
      try event(layers: ["a"])
        == .note("1 layer has no fast kernel and runs as it is defined, slowly", details: ["a"]))
    #expect(
      try event(layers: ["a", "b"])
        == .note(
          "2 layers have no fast kernel and run as they are defined, slowly", details: ["a", "b"]))
  }

  @Test func `the reference engine has no other way`() throws {
    #expect(
      try event(layers: ["a"], .reference)
        == .note("the reference engine runs every layer as it is defined", details: []))
  }
}
