import Foundation
import ModelIR
import Operators
import Testing

@Suite struct OperatorRegistryTests {
  /// Each with attributes unlike the defaults.
  static let samples: [any Operator] = [
    Activation(.relu(maxValue: 2, negativeSlope: 0.5, threshold: 1)),
    AdaptiveAveragePooling1D(outputSize: Size1D(2)),
    AdaptiveAveragePooling2D(outputSize: Size2D(2, 3)),
    AdaptiveAveragePooling3D(outputSize: Size3D(2, 3, 4)),
    AdaptiveMaxPooling1D(outputSize: Size1D(2)), AdaptiveMaxPooling2D(outputSize: Size2D(2, 3)),
    AdaptiveMaxPooling3D(outputSize: Size3D(2, 3, 4)),
    Add(),
    ArgReduce(.minimum, axis: -2, keepDimensions: true, takesLast: true),
    Attention(
      heads: 4, keyHeads: 2, scale: 0.5, softCap: 20, before: 3, after: 0,
      masks: [.keys, .pairs, .bias], zerosEmpty: true, result: .both), Average(),
    AveragePooling1D(poolSize: Size1D(2), strides: Size1D(3), padding: .same),
    AveragePooling2D(poolSize: Size2D(2, 3), strides: Size2D(1, 4), padding: .same),
    AveragePooling3D(poolSize: Size3D(2, 3, 4), strides: Size3D(1, 4, 5), padding: .same),
    BatchNormalization(epsilon: 0.25), CenterCrop(size: Size2D(2, 3)), Concatenate(axis: 1),
    Constant(shape: [2, 3, 4]),
    Convolution1D(
      outputChannels: 6, kernelSize: Size1D(2), strides: Size1D(4), dilation: Size1D(6),
      groups: 3, padding: .causal, activation: .elu(alpha: 0.5)),
    Convolution2D(
      outputChannels: 6, kernelSize: Size2D(2, 3), strides: Size2D(4, 5), dilation: Size2D(6, 7),
      groups: 3, padding: .same, activation: .elu(alpha: 0.5)),
    Convolution3D(
      outputChannels: 6, kernelSize: Size3D(2, 3, 4), strides: Size3D(5, 6, 7),
      dilation: Size3D(8, 9, 10), groups: 3, padding: .amounts([[1, 0], [0, 2], [3, 1]])),
    ConvolutionalLSTM1D(
      outputChannels: 6, kernelSize: Size1D(2), strides: Size1D(4), dilation: Size1D(6),
      padding: .same, activation: .relu, recurrentActivation: .softsign,
      recurrence: Recurrence(returns: .cell, goesBackwards: true)),
    ConvolutionalLSTM2D(
      outputChannels: 6, kernelSize: Size2D(2, 3), strides: Size2D(4, 5), dilation: Size2D(6, 7),
      padding: .same, activation: .relu, recurrentActivation: .softsign,
      recurrence: Recurrence(returns: .sequence, takesState: true)),
    ConvolutionalLSTM3D(outputChannels: 6, kernelSize: Size3D(2, 3, 4)),
    Cropping1D(before: 1, after: 2), Cropping2D(top: 1, bottom: 2, left: 3, right: 4),
    Cropping3D(sides: [[1, 2], [3, 4], [5, 6]]),
    Dense(units: 7, activation: .softmax(axis: 0)),
    DepthwiseConvolution1D(
      kernelSize: Size1D(2), depthMultiplier: 8, strides: Size1D(4), dilation: Size1D(6),
      padding: .same, activation: .elu(alpha: 0.5)),
    DepthwiseConvolution2D(
      kernelSize: Size2D(2, 3), depthMultiplier: 8, strides: Size2D(4, 5), dilation: Size2D(6, 7),
      padding: .same, activation: .elu(alpha: 0.5)), Divide(),
    Dot(axes: [1, 0], smallestNorm: 0.5),
    Elementwise(power: 2.5), Embedding(count: 5, outputChannels: 3), Flatten(),
    GRU(
      units: 4, activation: .relu, recurrentActivation: .softsign, resetsAfter: true,
      recurrence: Recurrence(returns: .state, takesMask: true)),
    GatedLinearUnit(axis: 1), Gather(axis: -2, byElement: true),
    GlobalAveragePooling1D(keepDimensions: true),
    GlobalAveragePooling2D(keepDimensions: true), GlobalAveragePooling3D(keepDimensions: true),
    GlobalMaxPooling1D(keepDimensions: true), GlobalMaxPooling2D(keepDimensions: true),
    GlobalMaxPooling3D(keepDimensions: true),
    GroupNormalization(groups: 4, epsilon: 0.25, axis: 1),
    Identity(),
    LSTM(
      units: 4, activation: .relu, recurrentActivation: .softsign,
      recurrence: Recurrence(returns: .cell, goesBackwards: true)),
    LayerNormalization(epsilon: 0.25, axis: [1, 2], subtractsMean: false),
    LocallyConnected1D(
      outputChannels: 6, kernelSize: Size1D(2), strides: Size1D(4), activation: .elu(alpha: 0.5)),
    LocallyConnected2D(
      outputChannels: 6, kernelSize: Size2D(2, 3), strides: Size2D(4, 5),
      activation: .elu(alpha: 0.5)),
    MaskedAverage(keepDimensions: true), Masking(value: 0.5), MatMul(transposesFirst: true),
    MaxPooling1D(poolSize: Size1D(2), strides: Size1D(3), padding: .same),
    MaxPooling2D(poolSize: Size2D(2, 3), strides: Size2D(1, 4), padding: .same),
    MaxPooling3D(poolSize: Size3D(2, 3, 4), padding: .sameLower), Maximum(),
    Minimum(), Multiply(),
    Normalization(
      axes: [0, 2], invert: true,
      statistics: Normalization.Statistics(mean: [1, 2], variance: [3, 4])),
    PReLU(sharedAxes: [0, -1]), Pairwise(.modulo), Permute(order: [2, 0, 1]),
    QuantizedSamples.convolution,
    RMSNormalization(epsilon: 0.25, axis: [1, 2]),
    Reduce(.product, axes: [0, -1], keepDimensions: true), RepeatVector(count: 3),
    Rescaling(scale: [2, 3], offset: [4]), Reshape(shape: [2, -1]),
    Resizing(
      size: Size2D(2, 3), interpolation: .lanczos3, antialias: true, proportion: .pad, fill: 0.5),
    Reverse(), Scale(), ScaledAdd(scale: 0.5),
    SeparableConvolution1D(
      outputChannels: 6, kernelSize: Size1D(2), depthMultiplier: 8, strides: Size1D(4),
      dilation: Size1D(6), padding: .same, activation: .elu(alpha: 0.5)),
    SeparableConvolution2D(
      outputChannels: 6, kernelSize: Size2D(2, 3), depthMultiplier: 8, strides: Size2D(4, 5),
      dilation: Size2D(6, 7), padding: .same, activation: .elu(alpha: 0.5)),
    SimpleRNN(
      units: 4, activation: .relu,
      recurrence: Recurrence(returns: .sequence, takesState: true, zerosMasked: true)),
    Operators.Slice(starts: [5, 0], counts: [2, nil], steps: [-3, 1]),
    StepMask(value: 0.5, isPerValue: true), Subtract(),
    TimeDistributed(Convolution2D(outputChannels: 2, kernelSize: Size2D(3, 4))),
    TopK(count: 2, axis: -1, takesSmallest: true, result: .indices),
    TransposedConvolution1D(
      outputChannels: 6, kernelSize: Size1D(2), strides: Size1D(4), dilation: Size1D(6),
      padding: .same, outputPadding: Size1D(3), activation: .elu(alpha: 0.5)),
    TransposedConvolution2D(
      outputChannels: 6, kernelSize: Size2D(2, 3), strides: Size2D(4, 5), dilation: Size2D(6, 7),
      padding: .same, outputPadding: Size2D(3, 1), activation: .elu(alpha: 0.5)),
    TransposedConvolution3D(
      outputChannels: 6, kernelSize: Size3D(2, 3, 4), strides: Size3D(5, 6, 7),
      outputPadding: Size3D(4, 0, 1)),
    UnitNormalization(smallestNorm: 0.5, axis: [0, 1]),
    UpSampling1D(size: Size1D(2), interpolation: .bilinear),
    UpSampling2D(size: Size2D(2, 3), interpolation: .mitchellCubic),
    UpSampling3D(size: Size3D(2, 3, 4)),
    Where(), ZeroPadding1D(before: 1, after: 2),
    ZeroPadding2D(top: 1, bottom: 2, left: 3, right: 4),
    ZeroPadding3D(sides: [[1, 2], [3, 4], [5, 6]]),
  ]

  private func roundTrip<Sample: Operator>(_ sample: Sample) throws -> Sample {
    try JSONDecoder().decode(Sample.self, from: JSONEncoder().encode(sample))
  }

  @Test func `every operator survives its document`() throws {
    #expect(
      Self.samples.map { type(of: $0).name } == OperatorRegistry.all.map { $0.name })
    for sample in Self.samples {
      #expect(try roundTrip(sample).isEqual(to: sample), "\(sample)")
    }
  }

  @Test func `every operator is found by its name`() {
    for type in OperatorRegistry.all {
      #expect(OperatorRegistry.type(named: type.name) == type)
    }
    #expect(OperatorRegistry.type(named: "Conv2D") == nil)
  }

  @Test(
    arguments: [
      .linear, .relu, .relu6, .relu(maxValue: nil, negativeSlope: 0, threshold: 1),
      .leakyReLU(negativeSlope: 0.3), .leakyReLU(negativeSlope: 0.1), .elu(alpha: 1),
      .elu(alpha: 2), .sigmoid, .tanh, .softmax(axis: -1), .softmax(axis: 0),
      .softmax(axis: [0, 1]),
      .logSoftmax(axis: -1), .logSoftmax(axis: 1),
      .exponential, .softplus, .softsign, .hardTanh, .hardSigmoid(slope: 1 / 6),
      .hardSigmoid(slope: 0.2), .silu, .hardSilu, .gelu(approximate: false),
      .gelu(approximate: true), .selu, .mish, .celu(alpha: 1), .celu(alpha: 3), .logSigmoid,
      .hardShrink(threshold: 0.5), .hardShrink(threshold: 1), .softShrink(threshold: 0.5),
      .softShrink(threshold: 1), .tanhShrink, .sparsePlus, .sparseSigmoid, .squareplus(b: 4),
      .squareplus(b: 1), .threshold(threshold: 1, value: 2),
    ] as [ActivationFunction])
  func `every function survives its document`(function: ActivationFunction) throws {
    #expect(try roundTrip(Activation(function)).function == function)
  }

  @Test func `a function without numbers is a name`() throws {
    let document = try JSONEncoder().encode(Activation(.relu6))
    #expect(String(decoding: document, as: UTF8.self) == #"{"function":"relu6"}"#)
  }
}
