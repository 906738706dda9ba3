import Execution
import ModelIR
import Operators
import TestSupport
import Testing

/// Steps that are shared by several threads have the same results as on one thread.
@Suite struct SharedStepTests {
  private static let size = Size2D(2, 3)

  @Test(
    arguments: [
      Activation(.sigmoid), Activation(.softmax(axis: -1)), Activation(.softmax(axis: 0)),
      Activation(.softmax(axis: 1)), Activation(.tanhShrink), BatchNormalization(),
      BatchNormalization(axis: 0), Scale(), Rescaling(scale: [0.5], offset: [1]), PReLU(),
      ZeroPadding2D(top: 2, bottom: 0, left: 1, right: 3),
      Cropping2D(top: 1, bottom: 2, left: 0, right: 3), Permute(order: [2, 0, 1]),
      MaxPooling2D(poolSize: size), AveragePooling2D(poolSize: size, padding: .same),
      GlobalAveragePooling2D(), GlobalMaxPooling2D(), LayerNormalization(),
      GroupNormalization(groups: 4), RMSNormalization(), UnitNormalization(),
      Resizing(size: Size2D(70, 41), interpolation: .bilinear), UpSampling2D(size: size),
      CenterCrop(size: Size2D(50, 40)),
      DepthwiseConvolution2D(kernelSize: size, activation: .relu6),
      DepthwiseConvolution2D(kernelSize: size, depthMultiplier: 2, padding: .same),
      TransposedConvolution2D(outputChannels: 20, kernelSize: size, strides: Size2D(2, 1)),
      Dense(units: 9, activation: .silu),
      Convolution2D(
        outputChannels: 20, kernelSize: size, groups: 4, activation: .gelu(approximate: false)),
    ] as [any Operator])
  func `of one input`(operation: any Operator) throws {
    try compare(try model(operation, [61, 47, 24]), "\(operation)")
  }

  @Test(
    arguments: [
      Add(), Subtract(), Multiply(), Average(), Maximum(), Minimum(), ScaledAdd(scale: 0.5),
      Concatenate(axis: 0), Concatenate(axis: -1),
    ] as [any Operator])
  func `of two inputs`(operation: any Operator) throws {
    try compare(try model(operation, [61, 47, 24], [61, 47, 24]), "\(operation)")
  }

  @Test func `of inputs that are repeated, of three, and of vectors`() throws {
    for operation in [Add(), Average(), Maximum()] as [any Operator] {
      try compare(try model(operation, [61, 47, 24], [61, 1, 24]), "\(operation)")
      try compare(try model(operation, [61, 47, 24], [61, 47, 1]), "\(operation)")
      try compare(try model(operation, [61, 47, 9], [61, 47, 9], [61, 47, 9]), "\(operation)")
      try compare(try model(operation, [70_001], [70_001]), "\(operation)")
    }
    try compare(try model(Dot(axes: [-1, -1]), [80, 70], [90, 70]), "Dot")
    try compare(try model(RepeatVector(count: 300), [100]), "RepeatVector")
  }

  @Test(.slow) func `more parts than are counted at once`() throws {
    let steps = (1 << 20) + 3
    let model = try model(
      TimeDistributed(DepthwiseConvolution1D(kernelSize: Size1D(2), padding: .same)), [steps, 2, 1])
    try expectAgreement(model, randomInputs(of: model, batch: 1), threads: [2])
  }

  /// One image, and batches that are too small for all threads.
  private func compare(_ model: Model, _ comment: String) throws {
    for (batch, threads) in [(1, 3), (2, 5)] {
      try expectAgreement(
        model, randomInputs(of: model, batch: batch), threads: [threads],
        "\(comment), batch \(batch), \(threads) threads")
    }
  }
}
