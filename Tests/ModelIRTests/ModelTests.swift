import ModelIR
import TestSupport
import Testing

@Suite struct ModelTests {
  @Test func `layers come after those they read, otherwise in their own order`() throws {
    let diamond = try model([
      layer("y", Merge(), "left", "right"), layer("right", Pass(), "top"),
      layer("left", Pass(), "top"), layer("top", Pass(), "x"), layer("aside", Pass(), "x"),
    ])
    #expect(diamond.layers.map(\.name) == ["top", "right", "left", "y", "aside"])
    #expect(diamond.outputs == ["y"])
  }

  @Test func `a layer may read one other twice`() throws {
    let model = try model([layer("y", Merge(), "a", "a"), layer("a", Pass(), "x")])
    #expect(model.layers.map(\.name) == ["a", "y"])
    #expect(model.layer(named: "y")?.inputs == ["a", "a"])
  }

  @Test func `shapes are inferred, unknown sizes too`() throws {
    let model = try model(
      [layer("y", Grow(amount: 2), "x"), linear("fc", 5, from: "y", features: 5)],
      inputs: [ModelInput(name: "x", shape: Shape([nil, 3]))], outputs: ["y", "fc"])
    #expect(model.shape(of: "x") == Shape([nil, 3]))
    #expect(model.shape(of: "y") == Shape([nil, 5]))
    #expect(model.shape(of: "fc") == Shape([nil, 5]))
    #expect(model.shape(of: "z") == nil)
    #expect(model.layer(named: "fc")?.inputShapes == [Shape([nil, 5])])
  }

  @Test func `shared parameters are counted once`() throws {
    let model = try model([
      linear("a", 4, from: "x", features: 4, bias: true),
      linear("b", 4, from: "a", features: 4, bias: true, owner: "a"),
      linear("y", 4, from: "b", features: 4),
    ])
    #expect(model.tensors.map(\.layer) == ["a", "a", "y"])
    #expect(model.tensors.map(\.spec.role) == [.kernel, .bias, .kernel])
    #expect(model.parameterCount == 16 + 4 + 16)
    #expect(model.layer(named: "b")?.parameters.map(\.layer) == ["a", "a"])
  }

  @Test func `parameters are found by role, optional ones may be absent`() throws {
    let model = try model([linear("y", 3, from: "x", features: 4)])
    let layer = try #require(model.layer(named: "y"))
    #expect(layer.parameter(.kernel)?.shape == [4, 3])
    #expect(layer.parameter(.bias) == nil)
  }

  @Test func `tensors are put through a transform, which may fail in a place`() throws {
    let model = try model([linear("y", 3, from: "x", features: 4, bias: true)])
    let turned = try model.mapTensors { tensor throws(NetconvError) in
      tensor.spec.role == .kernel ? try tensor.rearranged(to: .oi) : tensor
    }
    #expect(turned.tensors.map(\.shape) == [[3, 4], [3]])
    #expect(model.tensors.map(\.shape) == [[4, 3], [3]])
    #expect(
      thrown {
        try model.mapTensors { tensor throws(NetconvError) in try tensor.rearranged(to: .o) }
      }?.description
        == "layer 'y', tensor 'kernel': axis I of size 4 is in only one of the layouts IO and O; "
        + "only axes of size 1 can be left out")
  }

  @Test func `which flatten a kernel hides comes from the graph`() throws {
    let image = [ModelInput(name: "x", shape: Shape([2, 3, 5]))]
    func layout(_ between: [LayerDefinition]) throws -> String? {
      let last = between.last?.name ?? "x"
      let features = last == "x" ? 5 : 30
      return try model(
        between + [linear("y", 7, from: last, features: features)], inputs: image
      ).layer(named: "y")?.parameters.first?.layout.description
    }
    #expect(try layout([]) == "IO")
    #expect(try layout([layer("f", Flat(), "x")]) == "(HWI)O")
    #expect(try layout([layer("f", Flat(), "x"), layer("p", Pass(), "f")]) == "(HWI)O")
    // What merges or moves values loses track.
    #expect(try layout([layer("f", Flat(), "x"), layer("m", Merge(), "f", "f")]) == "IO")
    #expect(try layout([layer("f", Flat(), "x"), layer("g", Grow(amount: 0), "f")]) == "IO")
  }
}
