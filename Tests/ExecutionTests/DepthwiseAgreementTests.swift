import ModelIR
import Operators
import Testing

/// Every small depthwise and separable convolution, against the definition.
@Suite struct DepthwiseAgreementTests {
  private static let sizes = [Size2D(1, 2), Size2D(2, 1), Size2D(3, 5), Size2D(5, 4), Size2D(4, 3)]

  @Test(arguments: sizes, [Padding.valid, .same])
  func `convolutions of every shape`(size: Size2D, padding: Padding) throws {
    var sample = WalkSample(from: 3 * size.height + size.width)
    for kernel in (1...3).flatMap({ h in (1...3).map { Size2D(h, $0) } }) {
      for strides in [Size2D.one, Size2D(2, 1), Size2D(1, 3), Size2D(3, 2)] {
        for dilation in [Size2D.one, Size2D(2, 1), Size2D(1, 3)] {
          for (channels, multiplier) in [(1, 1), (3, 1), (2, 3)] where sample.takesNext() {
            try compare(
              DepthwiseConvolution2D(
                kernelSize: kernel, depthMultiplier: multiplier, strides: strides,
                dilation: dilation, padding: padding),
              [size.height, size.width, channels])
            try compare(
              SeparableConvolution2D(
                outputChannels: 4, kernelSize: kernel, depthMultiplier: multiplier,
                strides: strides, dilation: dilation, padding: padding),
              [size.height, size.width, channels])
          }
        }
      }
    }
  }

  /// Around the vectors of all levels, and the four that are done at once.
  @Test(arguments: [1, 3, 4, 8, 11, 16, 33, 64, 77])
  func `every number of channels`(channels: Int) throws {
    for multiplier in [1, 2] {
      for padding in [Padding.valid, .same] {
        try compare(
          DepthwiseConvolution2D(
            kernelSize: Size2D(3, 2), depthMultiplier: multiplier, padding: padding,
            activation: .relu6), [4, 5, channels])
        try compare(
          SeparableConvolution2D(
            outputChannels: 9, kernelSize: Size2D(3, 2), depthMultiplier: multiplier,
            padding: padding, activation: .relu), [4, 5, channels])
      }
    }
  }

  @Test(arguments: allFunctions)
  func `every activation`(function: ActivationFunction) throws {
    try compare(
      DepthwiseConvolution2D(kernelSize: Size2D(2, 2), padding: .same, activation: function),
      [3, 4, 5])
    try compare(
      SeparableConvolution2D(outputChannels: 7, kernelSize: Size2D(2, 2), activation: function),
      [3, 4, 5])
  }

  @Test func `images that the cache does not hold at once`() throws {
    let model = try model(
      SeparableConvolution2D(
        outputChannels: 3, kernelSize: Size2D(3, 3), depthMultiplier: 2, padding: .same),
      [29, 31, 5])
    try expectAgreement(model, randomInputs(of: model, batch: 7), threads: [1, 3])
  }

  private func compare(_ operation: any Operator, _ shape: [Int]) throws {
    guard let sizes = try operation.outputShape(for: [Shape(shape)]).known,
      sizes.allSatisfy({ $0 > 0 })
    else { return }
    let model = try model(operation, shape)
    try expectAgreement(model, randomInputs(of: model, batch: 2), "\(operation) of \(shape)")
  }
}
