import ModelIR
import Operators
import Testing

/// Every small transposed convolution, against the definition.
@Suite struct TransposedConvolutionAgreementTests {
  private static let sizes = [Size2D(1, 2), Size2D(2, 1), Size2D(3, 4), Size2D(4, 2)]

  @Test(arguments: sizes, [Padding.valid, .same])
  func `convolutions of every shape`(size: Size2D, padding: Padding) throws {
    var sample = WalkSample(from: 3 * size.height + size.width)
    for kernel in (1...3).flatMap({ h in (1...4).map { Size2D(h, $0) } }) {
      for strides in [Size2D.one, Size2D(2, 1), Size2D(1, 3), Size2D(3, 2)] {
        for dilation in [Size2D.one, Size2D(2, 1), Size2D(1, 3)] {
          for extra in [nil, Size2D(0, 0), Size2D(strides.height - 1, strides.width - 1)]
          where sample.takesNext() {
            try compare(
              TransposedConvolution2D(
                outputChannels: 5, kernelSize: kernel, strides: strides, dilation: dilation,
                padding: padding, outputPadding: extra),
              [size.height, size.width, 3])
          }
        }
      }
    }
  }

  @Test(arguments: [1, 3, 8, 17, 64])
  func `every number of channels`(channels: Int) throws {
    for outputs in [1, 4, 9, 33] {
      try compare(
        TransposedConvolution2D(
          outputChannels: outputs, kernelSize: Size2D(3, 2), strides: Size2D(2, 1),
          padding: .same, activation: .relu6), [4, 5, channels])
    }
  }

  @Test(arguments: allFunctions)
  func `every activation`(function: ActivationFunction) throws {
    try compare(
      TransposedConvolution2D(
        outputChannels: 3, kernelSize: Size2D(2, 2), strides: Size2D(2, 1), activation: function),
      [3, 4, 5])
  }

  @Test func `images whose shares the cache does not hold at once`() throws {
    let model = try model(
      TransposedConvolution2D(
        outputChannels: 40, kernelSize: Size2D(4, 5), strides: Size2D(2, 2), padding: .same),
      [19, 23, 6])
    try expectAgreement(model, randomInputs(of: model, batch: 3), threads: [1, 3])
  }

  private func compare(_ operation: TransposedConvolution2D, _ shape: [Int]) throws {
    // Not every combination has an output.
    guard let sizes = try? operation.outputShape(for: [Shape(shape)]).known,
      sizes.allSatisfy({ $0 > 0 })
    else { return }
    let model = try model(operation, shape)
    try expectAgreement(model, randomInputs(of: model, batch: 2), "\(operation) of \(shape)")
  }
}
