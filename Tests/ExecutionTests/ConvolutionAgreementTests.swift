import ModelIR
import Operators
import Testing

/// Every small convolution and dense layer, against the definition.
@Suite struct ConvolutionAgreementTests {
  private static let sizes = [Size2D(1, 2), Size2D(2, 1), Size2D(3, 5), Size2D(5, 4), Size2D(4, 3)]
  private static let kernels = (1...3).flatMap { h in (1...3).map { Size2D(h, $0) } }
  private static let strides = [Size2D.one, Size2D(2, 1), Size2D(1, 3), Size2D(3, 2)]
  private static let dilations = [Size2D.one, Size2D(2, 1), Size2D(1, 3)]
  /// Input channels, output channels, groups; output channels around the width of tiles.
  private static let channels = [(1, 1, 1), (2, 3, 1), (3, 17, 1), (4, 6, 2), (3, 3, 3)]

  @Test(arguments: sizes, [Padding.valid, .same])
  func `convolutions of every shape`(size: Size2D, padding: Padding) throws {
    var sample = WalkSample(from: 3 * size.height + size.width)
    for kernel in Self.kernels {
      for stride in Self.strides {
        for dilation in Self.dilations {
          for (input, output, groups) in Self.channels where sample.takesNext() {
            let convolution = Convolution2D(
              outputChannels: output, kernelSize: kernel, strides: stride, dilation: dilation,
              groups: groups, padding: padding)
            let shape = [size.height, size.width, input]
            guard let sizes = try convolution.outputShape(for: [Shape(shape)]).known,
              sizes.allSatisfy({ $0 > 0 })
            else { continue }
            let model = try model(convolution, shape)
            try expectAgreement(
              model, randomInputs(of: model, batch: 2), "\(convolution) of \(shape)")
          }
        }
      }
    }
  }

  @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 31, 33, 65])
  func `output channels around the width of a tile`(outputChannels: Int) throws {
    for width in [1, 2, 3, 4, 5, 6, 7, 11, 13] {
      let convolution = Convolution2D(
        outputChannels: outputChannels, kernelSize: Size2D(2, 3), padding: .same)
      let model = try model(convolution, [2, width, 5])
      try expectAgreement(
        model, randomInputs(of: model, batch: 3), "\(outputChannels) channels, width \(width)")
    }
  }

  @Test(arguments: [1, 2, 5, 17, 97, 200])
  func `sums longer than a block of the depth`(batch: Int) throws {
    let model = try model(Dense(units: 35), [1200])
    try expectAgreement(model, randomInputs(of: model, batch: batch))
  }

  @Test(arguments: 1...20)
  func `dense layers of every size`(units: Int) throws {
    for features in [1, 2, 3, 5, 16] {
      for batch in 1...7 {
        let model = try model(Dense(units: units), [features])
        try expectAgreement(model, randomInputs(of: model, batch: batch))
      }
    }
  }

  @Test func `dense layers act on the last axis`() throws {
    for shape in [[4], [3, 4], [2, 3, 4], [2, 1, 3, 4]] {
      let model = try model(Dense(units: 5, activation: .softmax(axis: -1)), shape)
      try expectAgreement(model, randomInputs(of: model, batch: 3), "\(shape)")
    }
  }

  @Test(arguments: allFunctions)
  func `every activation`(function: ActivationFunction) throws {
    let convolution = Convolution2D(
      outputChannels: 18, kernelSize: Size2D(2, 2), padding: .same, activation: function)
    for batch in [1, 2, 17] {
      let model = try model(convolution, [3, 4, 5])
      try expectAgreement(model, randomInputs(of: model, batch: batch))
      let dense = try chain(
        [Flatten(), Dense(units: 19, activation: function.onVectors)], input: Shape([3, 2, 2]))
      try expectAgreement(dense, randomInputs(of: dense, batch: batch))
    }
  }

  @Test(arguments: [1, 2, 3])
  func `work that is shared by threads`(threads: Int) throws {
    let convolution = Convolution2D(
      outputChannels: 24, kernelSize: Size2D(3, 3), padding: .same, activation: .relu)
    let image = try model(convolution, [29, 31, 8])
    try expectAgreement(image, randomInputs(of: image, batch: 1), threads: [threads])
    let vector = try model(Dense(units: 600), [2000])
    try expectAgreement(vector, randomInputs(of: vector, batch: 1), threads: [threads])
  }
}

/// Each function, with and without its optional settings.
let allFunctions: [ActivationFunction] = [
  .linear, .relu, .relu6, .relu(maxValue: 0.5, negativeSlope: 0.25, threshold: 0.125),
  .relu(maxValue: -0.5, negativeSlope: 0, threshold: 0),
  .relu(maxValue: nil, negativeSlope: 0, threshold: -0.5), .leakyReLU(negativeSlope: 0.3),
  .elu(alpha: 0.75), .sigmoid, .tanh, .softmax(axis: -1), .softmax(axis: 0), .softmax(axis: 1),
  .logSoftmax(axis: -1), .logSoftmax(axis: 0),
  .exponential, .softplus, .softsign, .hardTanh, .hardSigmoid(slope: 1 / 6),
  .hardSigmoid(slope: 0.2), .silu, .hardSilu, .gelu(approximate: false), .gelu(approximate: true),
  .selu, .mish, .celu(alpha: 0.5), .logSigmoid, .hardShrink(threshold: 0.25),
  .softShrink(threshold: 0.25), .tanhShrink, .sparsePlus, .sparseSigmoid, .squareplus(b: 2),
  .threshold(threshold: 0.25, value: -1),
]

extension ActivationFunction {
  /// The function for shapes of rank 1.
  var onVectors: ActivationFunction {
    switch self {
    case .softmax: .softmax(axis: 0)
    case .logSoftmax: .logSoftmax(axis: 0)
    default: self
    }
  }
}
