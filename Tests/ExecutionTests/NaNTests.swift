import ModelIR
import Operators
import Testing

/// A NaN must come out wherever the definition lets it, or a broken model looks sound.
@Suite struct NaNTests {
  private static let operations: [any Operator] =
    [
      Convolution2D(outputChannels: 9, kernelSize: Size2D(2, 2), padding: .same),
      Convolution2D(
        outputChannels: 17, kernelSize: Size2D(2, 1), activation: .relu6),
      MaxPooling2D(poolSize: Size2D(2, 2), strides: .one, padding: .same),
      AveragePooling2D(poolSize: Size2D(2, 2), strides: .one),
      GlobalMaxPooling2D(), GlobalAveragePooling2D(), BatchNormalization(),
      AdaptiveMaxPooling2D(outputSize: Size2D(2, 3)),
      AdaptiveAveragePooling2D(outputSize: Size2D(2, 3)),
      LocallyConnected2D(outputChannels: 3, kernelSize: Size2D(2, 2), activation: .relu6),
      Dense(units: 5, activation: .relu),
      LayerNormalization(), RMSNormalization(), UnitNormalization(),
      UnitNormalization(axis: [0, 1]),
      GroupNormalization(groups: 11), Normalization(), Scale(), CenterCrop(size: Size2D(2, 2)),
      CenterCrop(size: Size2D(4, 2)), Resizing(size: Size2D(2, 5), interpolation: .bicubic),
      Resizing(size: Size2D(5, 5), proportion: .pad), Rescaling(scale: [2]),
      Permute(order: [2, 0, 1]),
      UpSampling2D(size: Size2D(2, 2)), UpSampling2D(size: Size2D(3, 2), interpolation: .bilinear),
      DepthwiseConvolution2D(kernelSize: Size2D(2, 2), padding: .same, activation: .relu6),
      DepthwiseConvolution2D(kernelSize: Size2D(2, 1), depthMultiplier: 2),
      SeparableConvolution2D(outputChannels: 3, kernelSize: Size2D(2, 2)), PReLU(),
      ZeroPadding2D(top: 1, bottom: 1, left: 0, right: 1),
    ] + allFunctions.map { Activation($0) }

  @Test(arguments: operations.indices)
  func `a NaN comes through`(index: Int) throws {
    let model = try model(Self.operations[index], [3, 4, 11])
    for place in [0, 10, 11 * 5 + 9, 3 * 4 * 11 - 1] {
      var inputs = randomInputs(of: model, batch: 2)
      inputs["x0"]?.values[place] = .nan
      try expectAgreement(model, inputs, "\(Self.operations[index]) at \(place)")
    }
  }
}
