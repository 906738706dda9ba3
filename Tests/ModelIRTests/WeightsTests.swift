import ModelIR
import TestSupport
import Testing

@Suite struct WeightsTests {
  private func thrownText(_ body: () throws -> Void) -> String? { thrown(body)?.description }

  private func tensor(_ layer: String, _ role: ParameterRole, _ shape: [Int]) throws -> Tensor {
    let count = shape.reduce(1, *)
    return try Tensor(
      layer: layer, spec: try ParameterSpec(role, shape: shape),
      stored: StoredTensor(
        source: ArraySource((0..<count).map(Float.init)), layout: nil, shape: shape, path: "p"))
  }

  @Test func `axes of which only the place is known are called by it`() throws {
    let kernel = try ParameterSpec(.kernel, shape: [3, 2, 5, 4])
    #expect(kernel.layout.description == "PQRS")
    #expect(kernel.kind == .unknown)
    #expect(try kernel.layout.shape(kernel.sizes) == [3, 2, 5, 4])
    let vector = try ParameterSpec(ParameterRole(rawValue: "scale"), shape: [7])
    #expect(vector.layout == .c)
    #expect(vector.kind == .vector)
    #expect(try ParameterSpec(.bias, shape: [7]).layout == .o)
    #expect(
      thrownText { _ = try ParameterSpec(.kernel, shape: Array(repeating: 1, count: 11)) }
        == "shape [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] has 11 axes; netconv can name 10 of them")
  }

  @Test func `names of layers and roles in a layer are unique`() throws {
    let bias = try tensor("a", .bias, [2])
    let layer = LayerWeights(name: "a", parameters: [bias])
    #expect(
      thrownText { _ = try Weights(name: "n", layers: [layer, layer]) }
        == "the name 'a' is used twice; each layer and input needs a unique name")
    #expect(
      thrownText {
        _ = try Weights(name: "n", layers: [LayerWeights(name: "a", parameters: [bias, bias])])
      } == "layer 'a': the role 'bias' occurs twice; each role must be unique")
    #expect(
      thrownText { _ = try Weights(name: "n", layers: [LayerWeights(name: "", parameters: [])]) }
        == "a layer or an input has an empty name; each needs a unique name")
  }

  @Test func `a change of layout reaches every tensor, and errors name it`() throws {
    let weights = try Weights(
      name: "n",
      layers: [
        LayerWeights(name: "a", parameters: [try tensor("a", .kernel, [2, 3])]),
        LayerWeights(name: "b", parameters: []),
      ])
    let turned = try weights.mapTensors { tensor throws(NetconvError) in
      guard let layout = Layout("QP") else { return tensor }
      return try tensor.rearranged(to: layout)
    }
    #expect(try turned.tensors[0].values() == [0, 3, 1, 4, 2, 5])
    #expect(turned.parameterCount == 6)
    #expect(
      thrownText {
        _ = try weights.mapTensors { tensor throws(NetconvError) in
          throw NetconvError(.badData, "no")
        }
      } == "layer 'a', tensor 'kernel': no")
  }
}
