import ModelIR
import Operators
import Testing

/// Small graphs at random, all their layers compared.
@Suite struct RandomGraphTests {
  @Test(arguments: 1...12)
  func `random graphs`(round: Int) throws {
    for seed in UInt64(round * 1000)..<UInt64(round * 1000 + 40) {
      let model = try randomModel(seed: seed)
      var random = SplitMix64(seed: seed)
      // Intermediate layers kept would have no buffer to share; half of the graphs keep none.
      let kept = Set(seed % 2 == 0 ? model.layers.map(\.name) : [])
      let batch = random.choose([1, 2, 3, 17, 100])
      try expectAgreement(
        model, randomInputs(of: model, batch: batch, seed: seed), keeping: kept,
        threads: [random.choose([1, 2, 3])], "seed \(seed), batch \(batch)")
    }
  }

  private func randomModel(seed: UInt64) throws -> Model {
    var builder = ModelBuilder(seed: seed)
    let size = [1, 2, 3, 5, 8]
    var names: [String] = []
    for _ in 0..<builder.random.choose([1, 1, 2]) {
      names.append(
        builder.input(
          Shape([
            builder.random.choose(size), builder.random.choose(size), builder.random.choose(size),
          ])))
    }
    let layers = builder.random.choose([1, 3, 6, 10])
    var attempts = 0
    while builder.layers.count < layers || attempts == 0 {
      attempts += 1
      guard attempts < 1000 else { break }
      let inputs = [builder.random.choose(names), builder.random.choose(names)]
      if let name = try grow(&builder, inputs) { names.append(name) }
      if builder.layers.isEmpty { attempts = 0 }
    }
    let outputs = Set([names[names.count - 1], builder.random.choose(builder.layers).name])
    return try builder.model(outputs: outputs.sorted())
  }

  /// Adds a random layer, if it fits.
  private func grow(_ builder: inout ModelBuilder, _ inputs: [String]) throws -> String? {
    let operation = randomOperation(&builder.random)
    let used = operation.inputCount.contains(1) ? [inputs[0]] : inputs
    guard
      let sizes = try? operation.outputShape(for: used.compactMap { builder.shapes[$0] }).known,
      sizes.allSatisfy({ $0 > 0 }), sizes.reduce(1, *) < 2000
    else { return nil }
    return try builder.add(operation, used)
  }

  private func randomOperation(_ random: inout SplitMix64) -> any Operator {
    let size = Size2D(random.choose([1, 2, 3]), random.choose([1, 2, 3]))
    let strides = Size2D(random.choose([1, 1, 2]), random.choose([1, 1, 2]))
    let padding = random.choose([Padding.valid, .same])
    let function = random.choose([
      ActivationFunction.linear, .relu, .relu6, .tanh, .sigmoid, .elu(alpha: 0.5),
      .leakyReLU(negativeSlope: 0.1), .softmax(axis: -1),
      .silu, .gelu(approximate: false), .hardSilu, .softplus,
    ])
    return random.choose(
      [
        Activation(function), Add(), Add(), Subtract(), Multiply(), Average(), Maximum(), Minimum(),
        ScaledAdd(scale: 0.5), Dot(axes: [-1, -1]), Scale(), CenterCrop(size: size),
        GroupNormalization(groups: random.choose([1, 2, -1]), epsilon: 0.01), GatedLinearUnit(),
        RMSNormalization(epsilon: 0.01), Normalization(),
        Resizing(
          size: size, interpolation: random.choose(Interpolation.allCases),
          proportion: random.choose([.stretch, .crop, .pad])),
        AveragePooling2D(poolSize: size, strides: strides, padding: padding),
        BatchNormalization(epsilon: 0.01), Concatenate(axis: random.choose([-1, 0])),
        Convolution2D(
          outputChannels: random.choose([1, 3, 8, 17]), kernelSize: size, strides: strides,
          padding: padding, activation: function),
        Convolution2D(
          outputChannels: random.choose([5, 8]), kernelSize: size,
          dilation: Size2D(random.choose([1, 2]), 1), padding: .same, activation: function),
        Dense(units: random.choose([1, 5, 20]), activation: function),
        DepthwiseConvolution2D(
          kernelSize: size, depthMultiplier: random.choose([1, 1, 2]), strides: strides,
          padding: padding, activation: function), Flatten(),
        GlobalAveragePooling2D(keepDimensions: true), GlobalMaxPooling2D(), Identity(),
        MaxPooling2D(poolSize: size, strides: strides, padding: padding), Reshape(shape: [-1]),
        PReLU(), PReLU(sharedAxes: [0]),
        SeparableConvolution2D(
          outputChannels: random.choose([3, 8]), kernelSize: size, strides: strides,
          padding: padding, activation: function),
        Cropping2D(top: 1, bottom: 0, left: 0, right: 1), LayerNormalization(epsilon: 0.01),
        Permute(order: random.choose([[1, 0, 2], [2, 0, 1]])), RepeatVector(count: 2),
        Rescaling(scale: [0.5], offset: [0.25]),
        UpSampling2D(size: Size2D(2, 1), interpolation: random.choose([.nearest, .bilinear])),
        ZeroPadding2D(top: 1, bottom: 0, left: 2, right: 1),
      ] as [any Operator])
  }
}
