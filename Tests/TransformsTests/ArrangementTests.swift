import ModelIR
import Operators
import TestSupport
import Testing
import Transforms

@Suite struct ArrangementTests {
  /// A layer whose parameters hold 0, 1, 2, … in the order of the operator's definition.
  private func layer(
    _ name: String, _ operation: any Operator, _ inputs: [String], _ shapes: [Shape]
  ) throws -> LayerDefinition {
    var parameters: [ParameterRole: StoredTensor] = [:]
    for spec in try operation.parameters(for: shapes) {
      let values = (0..<(try spec.count())).map { Float($0) }
      parameters[spec.role] = StoredTensor(
        source: ArraySource(values), layout: nil, shape: nil, path: name)
    }
    return LayerDefinition(
      name: name, operation: operation, inputs: inputs, parameters: parameters)
  }

  /// A model of a chain of layers, arranged for MPS; `y` is the last.
  private func arranged(_ operations: [any Operator], input: [Int]) throws -> Model {
    var layers: [LayerDefinition] = []
    var (name, shape) = ("x", Shape(input))
    for (index, operation) in operations.enumerated() {
      let next = index == operations.count - 1 ? "y" : "l\(index)"
      layers.append(try layer(next, operation, [name], [shape]))
      (name, shape) = (next, try operation.outputShape(for: [shape]))
    }
    return try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape(input))], layers: layers,
      outputs: ["y"]
    ).arranged(for: Target.named("mps"))
  }

  /// The source of the final Dense layer's kernel, and its shape.
  private func kernel(behind operations: [any Operator], input: [Int] = [2, 3, 5]) throws
    -> (from: String, shape: [Int])
  {
    let model = try arranged(operations + [Dense(units: 7)], input: input)
    let kernel = try #require(model.layer(named: "y")?.parameter(.kernel))
    #expect(kernel.layout == .ohwi)
    return (kernel.storedLayout.description, kernel.shape)
  }

  private func expectRevealed(_ operations: any Operator...) throws {
    let (from, shape) = try kernel(behind: operations)
    #expect(from == "(HWI)O", "\(operations)")
    #expect(shape == [7, 2, 3, 5], "\(operations)")
  }

  private func expectPlain(_ operations: any Operator..., features: Int) throws {
    let (from, shape) = try kernel(behind: operations)
    #expect(from == "IO", "\(operations)")
    #expect(shape == [7, 1, 1, features], "\(operations)")
  }

  @Test func `a kernel behind a flatten gets the axes that the flatten has merged`() throws {
    try expectRevealed(Flatten())
    try expectRevealed(Reshape(shape: [30]))
    try expectRevealed(Reshape(shape: [-1]))
  }

  @Test func `layers that move nothing may stand in between`() throws {
    try expectRevealed(Flatten(), Identity())
    try expectRevealed(Flatten(), BatchNormalization())
    try expectRevealed(Flatten(), Activation(.relu))
    try expectRevealed(Flatten(), Flatten())
    try expectRevealed(Flatten(), Reshape(shape: [30]))
    try expectRevealed(
      Flatten(), Identity(), BatchNormalization(), Activation(.tanh), Reshape(shape: [-1]))
    try expectRevealed(MaxPooling2D(poolSize: .one), Flatten(), Identity())
  }

  @Test func `the last flatten counts`() throws {
    try expectRevealed(Flatten(), Reshape(shape: [2, 3, 5]), Flatten())
    let (from, shape) = try kernel(behind: [Flatten(), Reshape(shape: [6, 5]), Flatten()])
    #expect(from == "(WI)O")
    #expect(shape == [7, 1, 6, 5])
  }

  @Test func `without a flatten, or where it cannot be followed, height and width are 1`() throws {
    try expectPlain(features: 5)
    try expectPlain(GlobalAveragePooling2D(), features: 5)
    try expectPlain(GlobalAveragePooling2D(keepDimensions: true), Flatten(), features: 5)
    try expectPlain(GlobalMaxPooling2D(keepDimensions: true), Flatten(), Identity(), features: 5)
    try expectPlain(Flatten(), Dense(units: 4), features: 4)
    try expectPlain(Flatten(), Dense(units: 4), Identity(), features: 4)
    try expectPlain(Flatten(), Reshape(shape: [6, 5]), features: 5)
  }

  @Test func `a Dense on rank 3 stays a matrix`() throws {
    let model = try arranged([Dense(units: 7)], input: [2, 3, 5])
    #expect(model.shape(of: "y") == Shape([2, 3, 7]))
    #expect(model.tensors.map(\.shape) == [[7, 1, 1, 5], [7]])
  }

  /// The MPS kernel of a Dense layer after two flattens of one image that `merge` combines.
  private func kernel(
    behind merge: any Operator, features: Int
  ) throws -> (from: Layout, shape: [Int]) {
    let image = ModelInput(name: "x", shape: Shape([2, 3, 5]))
    let model = try Model(
      name: "m", inputs: [image],
      layers: [
        layer("f", Flatten(), ["x"], []), layer("g", Flatten(), ["x"], []),
        layer("m", merge, ["f", "g"], []),
        layer("y", Dense(units: 7), ["m"], [Shape([features])]),
      ], outputs: ["y"]
    ).arranged(for: Target.named("mps"))
    let kernel = try #require(model.layer(named: "y")?.parameter(.kernel))
    return (kernel.storedLayout, kernel.shape)
  }

  @Test func `a concatenation in between hides what was flattened, a sum does not`() throws {
    let behindSum = try kernel(behind: Add(), features: 30)
    #expect(behindSum.from.description == "(HWI)O")
    #expect(behindSum.shape == [7, 2, 3, 5])
    let behindBoth = try kernel(behind: Concatenate(), features: 60)
    #expect(behindBoth.from == .io)
    #expect(behindBoth.shape == [7, 1, 1, 60])
  }

  @Test func `vectors behind a flatten keep their order and name their axes`() throws {
    let model = try arranged([Flatten(), BatchNormalization()], input: [2, 3, 5])
    #expect(model.tensors.count == 4)
    for tensor in model.tensors {
      #expect(tensor.layout.description == "(HWC)")
      #expect(tensor.rearrangement.copy.isIdentity)
      #expect(tensor.shape == [30])
    }
  }

  @Test func `every value of a revealed kernel stands where its pixel does`() throws {
    let model = try arranged([Flatten(), Dense(units: 7)], input: [2, 3, 5])
    let values = try #require(model.layer(named: "y")?.parameter(.kernel)).values()
    var position = 0
    for o in 0..<7 {
      for h in 0..<2 {
        for w in 0..<3 {
          for i in 0..<5 {
            // Row of the Dense kernel: the place of (h, w, i) in the flattened image.
            let row = h * 15 + w * 5 + i
            #expect(values[position] == Float(row * 7 + o))
            position += 1
          }
        }
      }
    }
  }

  @Test func `convolutions become OHWI, grouped ones with the channels of a group`() throws {
    let convolution = Convolution2D(outputChannels: 6, kernelSize: Size2D(2, 3), groups: 2)
    let model = try arranged([convolution], input: [7, 8, 4])
    let kernel = try #require(model.tensors.first)
    #expect(kernel.shape == [6, 2, 3, 2])
    #expect(kernel.rearrangement.pattern == "h w i o -> o h w i")
    #expect(try kernel.values().prefix(4) == [0, 6, 12, 18])
    #expect(model.tensors.last?.layout == .o)
  }

  @Test func `a volume has an axis that MPS does not know, and keeps its layout`() throws {
    let model = try arranged([Flatten(), Dense(units: 7)], input: [2, 3, 4, 5])
    let kernel = try #require(model.tensors.first)
    #expect(kernel.layout.description == "(DHWI)O" && kernel.shape == [120, 7])
    #expect(
      model.tensorsWithoutLayout(for: try Target.named("mps")).map(\.spec.role) == [.kernel])
  }

  @Test func `MPS has a layout for everything that netconv reads`() throws {
    let model = try arranged(
      [
        Convolution2D(outputChannels: 6, kernelSize: Size2D(2, 3)), BatchNormalization(), Flatten(),
        Dense(units: 7),
      ], input: [4, 5, 3])
    #expect(model.tensorsWithoutLayout(for: try Target.named("mps")).isEmpty)
  }
}
