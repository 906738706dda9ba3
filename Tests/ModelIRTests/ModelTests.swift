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

  @Test func `the outputs of a layer are values of their own`() throws {
    let model = try model(
      [
        layer("y", Merge(), "two", "two/1"), layer("z", Pass(), "two/1"),
        layer("two", Twice(), "x"),
      ], outputs: ["y", "two/1"])
    #expect(model.layers.map(\.name) == ["two", "y", "z"])
    #expect(model.layer(named: "two")?.outputs.map(\.name) == ["two", "two/1"])
    #expect(model.layer(named: "two/1") == nil)
    #expect(model.producer(of: "two/1").map { [$0.layer.name, "\($0.output)"] } == ["two", "1"])
    #expect(model.shape(of: "two/1") == model.shape(of: "x"))
    #expect(model.readers(of: "two/1").map(\.name) == ["y", "z"])
    #expect(model.lastReader(of: "two") == 1)
    #expect(model.layersNeeded(for: ["two/1"]).contains("two"))
    #expect(model.separated.layers.map(\.name) == ["two", "two/1", "y", "z"])
    let part = model.part(computing: "z", from: [])
    #expect(part.layers.map(\.name) == ["two", "z"])
    #expect(part.inputs.map(\.name) == ["x"])
    // The second output is read by nobody there.
    #expect(part.separated.layers.map(\.name) == ["two", "two/1", "z"])
  }

  @Test func `outputs are renamed with their layer`() throws {
    let twice = layer("two", Twice(), "x")
    let named = try model([twice, layer("y", Merge(), "two", "two/1")])
    let (network, renamed) = try Network.model(named).renaming(["two": "both"])
    guard case .model(let model) = network else { return }
    #expect(renamed == ["two"])
    #expect(model.layers.map(\.inputs) == [["x"], ["both", "both/1"]])
    let (other, _) = try Network.model(named).renaming(["two/1": "second"])
    guard case .model(let model) = other else { return }
    #expect(model.layers[0].outputs.map(\.name) == ["two", "second"])
  }

  @Test func `names of outputs are as many as outputs, and unique`() throws {
    var three = layer("y", Twice(), "x")
    three.furtherOutputs = ["a", "b"]
    #expect(thrown { try model([three]) }?.description == "layer 'y': names 3 outputs, expected 2")
    var same = layer("y", Twice(), "x")
    same.furtherOutputs = ["x"]
    #expect(thrown { try model([same]) }?.description.contains("'x' is used twice") == true)
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

  /// A kernel of 24 x 5 that several layers share, each after the layer that it is named after.
  private func sharing(_ names: String..., stored layout: Layout? = nil) throws -> Model {
    let inputs = ["image": [4, 3, 2], "turned": [2, 3, 4], "vector": [24]]
    var layers = [layer("flatImage", Flat(), "image"), layer("flatTurned", Flat(), "turned")]
    for (index, name) in names.enumerated() {
      var definition = linear(
        "y\(index)", 5, from: name, features: 24, owner: index == 0 ? nil : "y0")
      definition.parameters = [.kernel: stored(Array(repeating: 0, count: 120), layout)]
      layers.append(definition)
    }
    return try model(
      layers,
      inputs: inputs.sorted { $0.key < $1.key }.map {
        ModelInput(name: $0.key, shape: Shape($0.value))
      }, outputs: names.indices.map { "y\($0)" })
  }

  @Test func `what a flatten hides in a shared parameter is the same for all layers`() throws {
    for names in [["vector", "flatImage"], ["flatImage", "vector"]] {
      let shared = try sharing(names[0], names[1])
      #expect(
        shared.layers.flatMap(\.parameters).map(\.layout.description) == ["(HWI)O", "(HWI)O"])
      #expect(shared.tensors.count == 1)
    }
    // Unlike shapes hide nothing that could be told.
    let unlike = try sharing("flatImage", "flatTurned")
    #expect(unlike.layers.flatMap(\.parameters).map(\.layout.description) == ["IO", "IO"])
    let alone = try sharing("flatTurned")
    #expect(alone.tensors[0].spec.sizes[.inputChannels] == 4)
  }

  @Test func `a stored order that means other values for each layer is refused`() throws {
    let channelsFirst = try #require(Layout("(IHW)O"))
    #expect(try sharing("flatImage", "flatImage", stored: channelsFirst).tensors.count == 1)
    for names in [["flatImage", "vector"], ["flatImage", "flatTurned"]] {
      let error = thrown { try sharing(names[0], names[1], stored: channelsFirst) }
      #expect(error?.kind == .badData)
      #expect(
        error?.description.contains(
          "layer 'y0', tensor 'kernel': is shared with layers that are not after a flatten of the "
            + "same shape, for which layout (IHW)O means different values; store it as (HWI)O, or give "
            + "each layer its own") == true)
    }
    // Rows, columns and channels in the order of the definition mean the same for all.
    #expect(try sharing("flatImage", "vector", stored: .ohwi).tensors[0].shape == [5, 4, 3, 2])
    #expect(
      try sharing("flatImage", "flatTurned", stored: .ohwi).tensors[0].shape == [5, 1, 1, 24])
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
