import Execution
import ModelDSL
import ModelIR
import Testing

@Suite struct GraphTests {
  private func run(_ model: Model, _ inputs: [String: [Float]]) throws -> [String: [Float]] {
    var arrays: [String: NDArray<Float>] = [:]
    for input in model.inputs {
      arrays[input.name] = NDArray(
        shape: [1] + (input.shape.known ?? []), values: inputs[input.name] ?? [])
    }
    return try ReferenceEngine(model).run(arrays).mapValues(\.values)
  }

  @Test func `layers without names are counted by kind, past names that are taken`() throws {
    let input = Input(width: 64, height: 32, channels: 1)
    let output =
      input --> MaxPooling(kernel: (2, 2)) --> MaxPooling(kernel: (2, 2), name: "pool_2")
      --> AveragePooling(kernel: (2, 2)) --> Activation(.relu) --> Activation(.tanh)
    let model = try Model(input: input, output: output)
    #expect(
      model.layers.map(\.name) == ["pool_1", "pool_2", "pool_3", "activation_1", "activation_2"])
    #expect(model.outputs == ["activation_2"])
  }

  @Test func `a layer that is used twice shares its parameters`() throws {
    let left = Input(shape: [3], name: "left")
    let right = Input(shape: [3], name: "right")
    let tower = Dense(neurons: 2, name: "tower")
    let output = Concatenate([left --> tower, right --> Dense(neurons: 2, name: "tower")])
    var asked = 0
    let model = try Model(inputs: [left, right], outputs: [output]) { _, count, role in
      asked += 1
      return StoredTensor(role == .bias ? [10, 20] : [1, 2, 3, 4, 5, 6])
    }
    #expect(asked == 2)
    #expect(model.parameterCount == 8)
    #expect(model.layers.map(\.name) == ["tower", "tower_2", "concat_1"])
    #expect(
      try run(model, ["left": [1, 0, 0], "right": [0, 0, 1]]) == ["concat_1": [11, 22, 15, 26]])
  }

  @Test func `another use of a layer can have a name of its own`() throws {
    let input = Input(shape: [2])
    let dense = Dense(neurons: 2, useBias: false, name: "d")
    let again = dense.applied(to: [input --> dense], as: "again")
    let model = try Model(input: input, output: again) { name, _, _ in
      StoredTensor(name == "d" ? [0, 1, 2, 0] : [])
    }
    #expect(model.layers.map(\.name) == ["d", "again"])
    #expect(try run(model, ["input": [1, 10]]) == ["again": [2, 20]])
  }

  @Test func `residual connections`() throws {
    let input = Input(shape: [2])
    let once = Add([input, input --> Activation(.relu)])
    let output = Add([once, once --> Activation(.relu), input], name: "sum")
    let model = try Model(input: input, output: output)
    // x = (3, -1): once is (6, -1); 6 + 6 + 3 and -1 + 0 - 1.
    #expect(try run(model, ["input": [3, -1]]) == ["sum": [15, -2]])
  }

  @Test func `several inputs and outputs keep their order`() throws {
    let a = Input(shape: [1])
    let b = Input(shape: [1])
    let relu = b --> Activation(.relu)
    let sum = Add([a, relu])
    let model = try Model(inputs: [b, a], outputs: [sum, relu])
    #expect(model.inputs.map(\.name) == ["input_1", "input_2"])
    #expect(model.outputs == ["add_1", "activation_1"])
    #expect(
      try run(model, ["input_1": [-4], "input_2": [2]])
        == ["add_1": [2], "activation_1": [0]])
  }

  @Test func `a long chain neither overflows the stack nor takes forever`() throws {
    let input = Input(shape: [1])
    var node = input --> Activation(.relu)
    for _ in 1..<3000 { node = (node --> Activation(.relu)) }
    #expect(try Model(input: input, output: node).layers.count == 3000)
  }

  @Test func `what was connected from several threads is all noted`() async throws {
    let input = Input(shape: [1])
    let nodes = await withTaskGroup(of: Node.self, returning: [Node].self) { group in
      for index in 0..<100 {
        group.addTask { input --> Activation(.relu, name: "a\(index)") }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(try Model(input: input, output: Add(nodes)).layers.count == 101)
    _ = (input --> Activation(.relu, name: "late"))
    let sum = Add(nodes.dropLast())
    #expect(
      problem { () throws(NetconvError) in try Model(input: input, output: sum) }
        .hasPrefix("3 problems in the model"))
  }
}
