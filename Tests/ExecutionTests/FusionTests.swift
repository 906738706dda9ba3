import Execution
import ModelIR
import Operators
import Testing

/// Layers that are fused into a step return what they are defined to return, and are actually fused.
@Suite struct FusionTests {
  private static let convolution = Convolution2D(
    outputChannels: 5, kernelSize: Size2D(3, 2), padding: .same)
  private static let depthwise = DepthwiseConvolution2D(
    kernelSize: Size2D(2, 3), depthMultiplier: 2, padding: .same)
  private static let separable = SeparableConvolution2D(
    outputChannels: 7, kernelSize: Size2D(3, 3), padding: .same)
  private static let relu6 = Activation(.relu6)

  /// Expects the engines to agree, and the fast one to run `count` steps.
  private func expectSteps(
    _ count: Int, _ model: Model, keeping kept: Set<String> = [], _ comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let engine = try FastEngine(model, keeping: kept)
    #expect(engine.stepCount == count, "\(comment)", sourceLocation: sourceLocation)
    for (batch, threads) in [(1, 1), (1, 3), (2, 2), (5, 2), (5, 4), (9, 8)] {
      try expectAgreement(
        model, randomInputs(of: model, batch: batch), keeping: kept, threads: [threads],
        "\(comment), batch \(batch), \(threads) threads", sourceLocation: sourceLocation)
    }
  }

  // MARK: - Scales and activations

  @Test(
    arguments: [
      (1, [convolution, BatchNormalization(epsilon: 0.1)]),
      (1, [convolution, BatchNormalization(axis: 2), relu6]),
      (1, [convolution, Scale(), BatchNormalization(), Activation(.softmax(axis: -1))]),
      (1, [depthwise, BatchNormalization(), Activation(.silu)]),
      (2, [separable, BatchNormalization(), relu6]),
      (1, [Dense(units: 9), BatchNormalization(), Activation(.tanh)]),
      // Not the channels.
      (2, [convolution, BatchNormalization(axis: 0)]),
      // An activation or another scale before them is not linear in the kernel.
      (3, [convolution, relu6, BatchNormalization(), relu6]),
      (2, [convolution, relu6, relu6]),
      (2, [Dense(units: 9, activation: .relu), BatchNormalization()]),
      (2, [MaxPooling2D(poolSize: Size2D(2, 2)), BatchNormalization()]),
    ] as [(Int, [any Operator])])
  func `scales and activations behind`(steps: Int, operations: [any Operator]) throws {
    try expectSteps(steps, try chain(operations, input: Shape([6, 5, 4])))
  }

  /// 0 times an infinite scale would be no number.
  @Test func `scales that are not finite stay`() throws {
    let parameters: [ParameterRole: [Float]] = [
      .kernel: [1, 0, 2, 3], .mean: [1, 2], .variance: [0, 1],
    ]
    let stored = { (roles: [ParameterRole], layout: Layout) -> [ParameterRole: StoredTensor] in
      Dictionary(
        uniqueKeysWithValues: roles.map {
          (
            $0,
            StoredTensor(
              source: ArraySource(parameters[$0] ?? []), layout: layout, shape: nil, path: "x")
          )
        })
    }
    let model = try Model(
      name: "degenerate", inputs: [ModelInput(name: "x", shape: Shape([2]))],
      layers: [
        LayerDefinition(
          name: "dense", operation: Dense(units: 2), inputs: ["x"],
          parameters: stored([.kernel], .io)),
        LayerDefinition(
          name: "norm", operation: BatchNormalization(epsilon: 0), inputs: ["dense"],
          parameters: stored([.mean, .variance], .c)),
      ], outputs: ["norm"])
    let inputs = ["x": NDArray<Float>(shape: [1, 2], values: [1, 1])]
    let result = try FastEngine(model).run(inputs)
    #expect(result["norm"]?.values == [.infinity, 1])
    try expectAgreement(model, inputs)
  }

  @Test func `values that are asked for stay`() throws {
    let operations: [any Operator] = [Self.convolution, BatchNormalization(), Self.relu6]
    let model = try chain(operations, input: Shape([6, 5, 4]))
    try expectSteps(3, model, keeping: ["y0"])
    try expectSteps(2, model, keeping: ["y1"])
    try expectSteps(3, model, keeping: ["y0", "y1"])
    try expectSteps(1, model, keeping: ["y2"])
    try expectSteps(
      3, try chain(operations, input: Shape([6, 5, 4]), outputs: ["y0", "y1", "y2"]))
  }

  // MARK: - Zeros around the image

  @Test func `zeros in front, in every small shape`() throws {
    for (top, bottom, left, right) in [(1, 1, 1, 1), (0, 1, 0, 1), (2, 0, 3, 1), (5, 0, 4, 0)] {
      for stride in [1, 2, 3, 6] {
        let padding = ZeroPadding2D(top: top, bottom: bottom, left: left, right: right)
        let (size, strides) = (Size2D(2, 1), Size2D(stride, stride))
        for operation in [
          Convolution2D(outputChannels: 3, kernelSize: size, strides: strides),
          DepthwiseConvolution2D(kernelSize: size, strides: strides),
          SeparableConvolution2D(outputChannels: 3, kernelSize: size, strides: strides),
        ] as [any Operator] {
          for input in [[1, 2, 9], [3, 1, 4], [4, 5, 3]] {
            try expectSteps(
              operation is SeparableConvolution2D ? 2 : 1,
              try chain([padding, operation], input: Shape(input)),
              "\(padding) \(operation) \(input)")
          }
        }
      }
    }
  }

  @Test func `zeros stay where others would be wrong`() throws {
    let padding = ZeroPadding2D(top: 1, bottom: 0, left: 0, right: 1)
    let pooling = MaxPooling2D(poolSize: Size2D(2, 2))
    try expectSteps(2, try chain([padding, pooling], input: Shape([5, 4, 3])))
    // Whose own padding depends on the size of what it sees.
    try expectSteps(2, try chain([padding, Self.convolution], input: Shape([5, 4, 3])))
    var builder = ModelBuilder(seed: 3)
    let padded = try builder.add(padding, [builder.input(Shape([5, 4, 3]))])
    let valid = Convolution2D(outputChannels: 2, kernelSize: Size2D(2, 2))
    let outputs = [try builder.add(valid, [padded]), try builder.add(valid, [padded])]
    try expectSteps(3, try builder.model(outputs: outputs))
  }

  // MARK: - Sums

  /// Depths of several blocks, and columns that leave panels of every level unfilled.
  @Test(arguments: [(1, 1), (3, 17), (129, 33), (450, 64)], [0, 1])
  func `a sum with another value`(sizes: (Int, Int), side: Int) throws {
    let (channels, outputs) = sizes
    var builder = ModelBuilder(seed: UInt64(channels))
    let x = builder.input(Shape([7, 5, channels]))
    let other = builder.input(Shape([7, 5, outputs]))
    let operation = Convolution2D(
      outputChannels: outputs, kernelSize: Size2D(3, 3), padding: .same)
    let product = try builder.add(
      BatchNormalization(), [try builder.add(operation, [x])])
    let sum = try builder.add(Add(), side == 0 ? [product, other] : [other, product])
    let result = try builder.add(Activation(.relu), [sum])
    try expectSteps(1, try builder.model(outputs: [result]))
  }

  @Test func `sums of dense layers, and of both branches`() throws {
    var builder = ModelBuilder(seed: 5)
    let x = builder.input(Shape([6]))
    let branches = [
      try builder.add(Dense(units: 21), [x]), try builder.add(Dense(units: 21), [x]),
    ]
    let sum = try builder.add(Add(), branches)
    // Only one of them can do the sum.
    try expectSteps(2, try builder.model(outputs: [sum]))
    // The one that the sum is not done by is added before the activation.
    let result = try builder.add(Activation(.sigmoid), [sum])
    try expectSteps(2, try builder.model(outputs: [result]))
  }

  @Test func `sums that are none of a step`() throws {
    var builder = ModelBuilder(seed: 6)
    let x = builder.input(Shape([4, 3, 5]))
    let first = try builder.add(Self.convolution, [x])
    // Twice the same value, one of another shape, three, and an activation in between.
    let twice = try builder.add(Add(), [first, first])
    let pixel = try builder.add(GlobalAveragePooling2D(keepDimensions: true), [x])
    let spread = try builder.add(Add(), [try builder.add(Self.convolution, [x]), pixel])
    let three = try builder.add(Add(), [try builder.add(Self.convolution, [x]), x, twice])
    let active = try builder.add(
      Activation(.tanh), [try builder.add(Self.convolution, [x])])
    let late = try builder.add(Add(), [active, x])
    try expectSteps(
      9, try builder.model(outputs: [spread, three, late]))
    // A normalisation of the sum is not one of the product.
    let sum = try builder.add(Add(), [try builder.add(Self.convolution, [x]), x])
    let last = try builder.add(BatchNormalization(), [sum])
    try expectSteps(2, try builder.model(outputs: [last]))
  }

  // MARK: - Bands

  /// Images larger than a band, alone and shared by threads.
  @Test(arguments: [1, 2])
  func `bands of large images`(stride: Int) throws {
    let strides = Size2D(stride, stride)
    for operation in [
      Convolution2D(
        outputChannels: 6, kernelSize: Size2D(3, 5), strides: strides, padding: .same),
      Convolution2D(
        outputChannels: 8, kernelSize: Size2D(3, 3), dilation: Size2D(3, 1), groups: 2,
        padding: .same),
      DepthwiseConvolution2D(kernelSize: Size2D(5, 3), strides: strides, padding: .same),
    ] as [any Operator] {
      let model = try chain([operation], input: Shape([67, 38, 36]))
      for (batch, threads) in [(1, 1), (1, 2), (1, 4), (2, 3), (3, 2), (5, 4)] {
        try expectAgreement(
          model, randomInputs(of: model, batch: batch), threads: [threads],
          "\(operation), batch \(batch), \(threads) threads")
      }
    }
  }

  /// Few pixels and many weights: threads share the columns of a product.
  @Test func `columns shared by threads`() throws {
    let operation = Convolution2D(
      outputChannels: 200, kernelSize: Size2D(3, 3), padding: .same, activation: .relu)
    let model = try chain([operation], input: Shape([3, 4, 60]))
    for threads in 1...4 {
      try expectAgreement(model, randomInputs(of: model, batch: 1), threads: [threads])
    }
  }
}
