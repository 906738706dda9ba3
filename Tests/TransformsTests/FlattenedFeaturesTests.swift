import ModelIR
import Operators
import Testing
import Transforms

@Suite("Features that come from flattened images are followed to the kernels that count them")
struct FlattenedFeaturesTests {
  private static let image = ModelInput(name: "x", shape: Shape([2, 3, 5]))
  private static let other = ModelInput(name: "z", shape: Shape([2, 3, 5]))
  private static let numbers = ModelInput(name: "n", shape: Shape([4]))

  private static func layer(
    _ name: String, _ operation: any Operator, _ inputs: String...
  ) -> LayerDefinition {
    LayerDefinition(name: name, operation: operation, inputs: inputs)
  }

  private func model(
    _ inputs: [ModelInput], _ layers: LayerDefinition...
  ) throws -> Model {
    try Model(planning: "m", inputs: inputs, layers: layers, outputs: ["y"])
  }

  private func uses(_ model: Model) -> [String] {
    FlattenedFeatures(of: model).uses.map {
      "\($0.layer) \($0.role): \($0.flattens.joined(separator: ", "))"
    }
  }

  @Test func `a kernel right behind a flatten has the axes in its layout`() throws {
    let model = try model(
      [Self.image], Self.layer("f", Flatten(), "x"), Self.layer("y", Dense(units: 7), "f"))
    #expect(model.layer(named: "y")?.parameter(.kernel)?.spec.layout.description == "(HWI)O")
    #expect(uses(model).isEmpty)
  }

  @Test(arguments: [Add(), Multiply(), Maximum(), Average()] as [any MergeOperator])
  func `so it has behind a sum of two flattens of one shape`(_ merge: any MergeOperator) throws {
    let model = try model(
      [Self.image, Self.other], Self.layer("f", Flatten(), "x"), Self.layer("g", Flatten(), "z"),
      Self.layer("m", merge, "f", "g"), Self.layer("y", Dense(units: 7), "m"))
    #expect(model.layer(named: "y")?.parameter(.kernel)?.spec.layout.description == "(HWI)O")
    #expect(uses(model).isEmpty)
    let kernel = try model.arranged(for: .named("torch")).layer(named: "y")?.parameter(.kernel)
    #expect(kernel?.layout.description == "O(IHW)")
  }

  @Test func `a sum of a flatten and of a vector has no order that a layout could name`() throws {
    let model = try model(
      [Self.image, ModelInput(name: "n", shape: Shape([30]))], Self.layer("f", Flatten(), "x"),
      Self.layer("m", Add(), "f", "n"), Self.layer("y", Dense(units: 7), "m"))
    #expect(model.layer(named: "y")?.parameter(.kernel)?.spec.layout.description == "IO")
    #expect(uses(model) == ["y kernel: f"])
  }

  @Test func `a factor for all values changes no order`() throws {
    let model = try model(
      [Self.image, ModelInput(name: "n", shape: Shape([1]))], Self.layer("f", Flatten(), "x"),
      Self.layer("m", Multiply(), "f", "n"), Self.layer("y", Dense(units: 7), "m"))
    #expect(model.layer(named: "y")?.parameter(.kernel)?.spec.layout.description == "(HWI)O")
  }

  @Test func `a concatenation of flattens and numbers`() throws {
    let model = try model(
      [Self.image, Self.other, Self.numbers], Self.layer("f", Flatten(), "x"),
      Self.layer("g", Flatten(), "z"), Self.layer("c", Concatenate(), "f", "n", "g"),
      Self.layer("b", BatchNormalization(), "c"), Self.layer("h", Dense(units: 6), "b"),
      Self.layer("y", Dense(units: 7), "h"))
    // What a dense layer gives has an order of its own.
    #expect(
      uses(model) == [
        "b gamma: f, g", "b beta: f, g", "b mean: f, g", "b variance: f, g", "h kernel: f, g",
      ])
  }

  @Test func `a flatten of each step of a sequence`() throws {
    let steps = ModelInput(name: "x", shape: Shape([4, 2, 3, 5]))
    let dense = try model(
      [steps], Self.layer("t", TimeDistributed(Flatten()), "x"),
      Self.layer("a", TimeDistributed(Activation(.relu)), "t"),
      Self.layer("y", TimeDistributed(Dense(units: 7)), "a"))
    #expect(dense.layer(named: "y")?.parameter(.kernel)?.spec.layout.description == "(HWI)O")
    #expect(uses(dense).isEmpty)
    // The kernel of a recurrent layer has no such axes.
    let recurrent = try model(
      [steps], Self.layer("t", TimeDistributed(Flatten()), "x"),
      Self.layer("y", LSTM(units: 3), "t"))
    #expect(uses(recurrent) == ["y kernel: t"])
  }

  @Test func `a flatten of what each step has flattened`() throws {
    let model = try model(
      [ModelInput(name: "x", shape: Shape([4, 2, 3, 5]))],
      Self.layer("t", TimeDistributed(Flatten()), "x"), Self.layer("f", Flatten(), "t"),
      Self.layer("y", Dense(units: 7), "f"))
    #expect(uses(model) == ["y kernel: t, f"])
  }

  @Test func `a vector that is repeated, and one that was reshaped into a sequence`() throws {
    let repeated = try model(
      [Self.image], Self.layer("f", Flatten(), "x"), Self.layer("r", RepeatVector(count: 4), "f"),
      Self.layer("y", SimpleRNN(units: 3), "r"))
    #expect(uses(repeated) == ["y kernel: f"])
    let rows = try model(
      [Self.image], Self.layer("r", Reshape(shape: [2, 15]), "x"),
      Self.layer("y", SimpleRNN(units: 3), "r"))
    #expect(uses(rows) == ["y kernel: r"])
  }

  @Test func `what a consumer reads in the order of its own images is not listed`() throws {
    // Positions are merged, channels are not.
    let positions = try model(
      [Self.image], Self.layer("r", Reshape(shape: [6, 5]), "x"),
      Self.layer("y", SimpleRNN(units: 3), "r"))
    #expect(uses(positions).isEmpty)
    // One place, or one channel: there is one order.
    let channels = try model(
      [ModelInput(name: "x", shape: Shape([1, 1, 5])), Self.numbers],
      Self.layer("f", Flatten(), "x"), Self.layer("c", Concatenate(), "f", "n"),
      Self.layer("y", Dense(units: 7), "c"))
    #expect(uses(channels).isEmpty)
    let places = try model(
      [ModelInput(name: "x", shape: Shape([2, 3, 1])), Self.numbers],
      Self.layer("f", Flatten(), "x"), Self.layer("c", Concatenate(), "f", "n"),
      Self.layer("y", Dense(units: 7), "c"))
    #expect(uses(places).isEmpty)
    // An image again.
    let image = try model(
      [Self.image], Self.layer("f", Flatten(), "x"),
      Self.layer("r", Reshape(shape: [2, 3, 5]), "f"),
      Self.layer(
        "y", Convolution2D(outputChannels: 2, kernelSize: Size2D(1, 1)), "r"))
    #expect(uses(image).isEmpty)
  }

  @Test func `what the source flattens with channels first keeps that order for all`() throws {
    let model = try model(
      [Self.image], Self.layer("p", Permute(order: [2, 0, 1]), "x"),
      Self.layer("a", Activation(.relu), "p"), Self.layer("f", Flatten(), "a"),
      Self.layer("y", Dense(units: 7), "f"))
    #expect(uses(model) == ["y kernel: f"])
    #expect(FlattenedFeatures(of: model).uses.map(\.orders) == [[.channelsFirst]])
    for target in ["torch", "mlx"] {
      let kernel = try #require(
        try model.arranged(for: .named(target)).layer(named: "y")?.parameter(.kernel))
      #expect(kernel.storedLayout == .io)
      #expect(kernel.layout == .oi)
    }
  }

  @Test func `features of both orders are of neither`() throws {
    let model = try model(
      [Self.image, Self.other], Self.layer("p", Permute(order: [2, 0, 1]), "x"),
      Self.layer("f", Flatten(), "p"), Self.layer("g", Flatten(), "z"),
      Self.layer("c", Concatenate(), "f", "g"), Self.layer("y", Dense(units: 7), "c"))
    #expect(uses(model) == ["y kernel: f, g"])
    #expect(
      FlattenedFeatures(of: model).uses.map(\.orders) == [[.channelsFirst, .channelsLast]])
  }
}
