import Execution
import ModelIR
import Operators
import Testing

/// Outputs that reuse the memory of an input, measured by an engine's memory, with unchanged results.
@Suite struct InPlaceTests {
  /// Operators that are not folded into one another, nor into the layer before.
  private static let elementwise: [any Operator] = [
    Activation(.tanh), BatchNormalization(epsilon: 0.01), Scale(), Rescaling(scale: [0.5]), PReLU(),
    LayerNormalization(epsilon: 0.01), Normalization(), Activation(.softmax(axis: -1)),
  ]

  /// Rows and columns before and after a pooling, whose output is of 8 · 8 · 4 values.
  private static let input = Shape([16, 16, 4])
  private static let pooled = 8 * 8 * 4

  private func memory(_ model: Model, batch: Int = 1) throws -> Int {
    let inputs = randomInputs(of: model, batch: batch)
    try expectAgreement(model, inputs, threads: [1, 2, 3])
    return try FastEngine(model, threads: 1).memoryCount(for: inputs)
  }

  private func pooling() -> MaxPooling2D { MaxPooling2D(poolSize: Size2D(2, 2)) }

  @Test func `a chain of elementwise layers needs the memory of one`() throws {
    let layers = [pooling()] + Self.elementwise + [pooling()]
    #expect(try memory(try chain(layers, input: Self.input)) == Self.pooled)
  }

  @Test(arguments: elementwise.indices)
  func `each of them works in place`(index: Int) throws {
    let layers: [any Operator] = [pooling(), Self.elementwise[index], pooling()]
    #expect(try memory(try chain(layers, input: Self.input)) == Self.pooled)
    for batch in [2, 17, 100] {
      #expect(
        try memory(try chain(layers, input: Self.input), batch: batch)
          .isMultiple(of: Self.pooled))
    }
  }

  @Test func `a view's memory is taken over too`() throws {
    let layers: [any Operator] = [
      pooling(), Flatten(), Activation(.tanh), Reshape(shape: [8, 8, 4]), Scale(), Identity(),
      pooling(),
    ]
    #expect(try memory(try chain(layers, input: Self.input)) == Self.pooled)
  }

  /// A pooling and its negative, combined by `operation` and pooled again.
  private func pair(
    _ operation: any Operator, _ build: (inout ModelBuilder, String) throws -> [String]
  ) throws -> Model {
    var builder = ModelBuilder(seed: 4)
    let pooled = try builder.add(pooling(), [builder.input(Self.input)])
    let inputs = try build(&builder, pooled)
    let combined = try builder.add(operation, inputs)
    let output = try builder.add(pooling(), [combined])
    return try builder.model(outputs: [output])
  }

  private static let pairs: [any Operator] = [
    Add(), Subtract(), Multiply(), Divide(), Average(), Maximum(), Minimum(),
    ScaledAdd(scale: 0.5),
  ]

  @Test(arguments: pairs.indices)
  func `a value that is still needed is left alone`(index: Int) throws {
    let operation = Self.pairs[index]
    let needed = try pair(operation) { [$1, try $0.add(Rescaling(scale: [-2]), [$1])] }
    #expect(try memory(needed) == 2 * Self.pooled)
    let swapped = try pair(operation) { [try $0.add(Rescaling(scale: [-2]), [$1]), $1] }
    #expect(try memory(swapped) == 2 * Self.pooled)
  }

  @Test(arguments: pairs.indices)
  func `a value may be both inputs`(index: Int) throws {
    #expect(try memory(try pair(Self.pairs[index]) { [$1, $1] }) == Self.pooled)
  }

  /// The third input is read after the output is written.
  @Test func `a third input is left alone`() throws {
    for operation in [Add(), Average(), Maximum()] as [any Operator] {
      let last = try pair(operation) { builder, pooled in
        [builder.input(Shape([8, 8, 4])), builder.input(Shape([8, 8, 4])), pooled]
      }
      #expect(try memory(last) == 2 * Self.pooled)
      let twice = try pair(operation) { builder, pooled in
        [pooled, builder.input(Shape([8, 8, 4])), pooled]
      }
      #expect(try memory(twice) == 2 * Self.pooled)
    }
  }

  @Test func `an input with sizes of 1 repeated is left alone, the other is not`() throws {
    let model = try pair(Multiply()) { builder, pooled in
      [pooled, try builder.add(GlobalMaxPooling2D(keepDimensions: true), [pooled])]
    }
    #expect(try memory(model) == Self.pooled + 16)
  }

  @Test func `what a convolution adds is overwritten, what it reads is not`() throws {
    let convolution = Convolution2D(outputChannels: 4, kernelSize: Size2D(1, 1))
    // The sum is folded into the convolution, with the shortcut as its second input.
    let shortcut = try pair(Add()) { builder, pooled in
      let scaled = try builder.add(Rescaling(scale: [-2]), [pooled])
      return [scaled, try builder.add(convolution, [pooled])]
    }
    #expect(try memory(shortcut) == 2 * Self.pooled)
    let own = try pair(Add()) { [$1, try $0.add(convolution, [$1])] }
    #expect(try memory(own) == 2 * Self.pooled)
  }

  @Test func `results and inputs keep their values`() throws {
    let layers: [any Operator] = [Activation(.tanh), Scale(), PReLU(), Activation(.silu)]
    let model = try chain(layers, input: Shape([5, 3]))
    for names in [[], ["y0"], ["y1"], ["y0", "y2"], ["y0", "y1", "y2"]] as [Set<String>] {
      for batch in [1, 3, 100] {
        let inputs = randomInputs(of: model, batch: batch)
        try expectAgreement(model, inputs, keeping: names, threads: [2], "\(names)")
      }
    }
  }

  /// A dense layer of many weights ends a stage, and its input and output outlive the images that a stage is at.
  @Test(arguments: [1, 3, 50, 97, 200])
  func `stages that take over each other's memory`(batch: Int) throws {
    let model = try chain(
      [
        pooling(), Rescaling(scale: [0.5]), Flatten(), Activation(.sigmoid), Dense(units: 600),
        BatchNormalization(), LayerNormalization(), Dense(units: 500), LayerNormalization(),
        PReLU(), Reshape(shape: [10, 10, 5]), Activation(.softmax(axis: -1)), pooling(),
      ], input: Self.input)
    let inputs = randomInputs(of: model, batch: batch)
    try expectAgreement(model, inputs, threads: [1, 2, 3])
  }
}
