/// Spreads the source, `stride - 1` zeros between pixels, and convolves that.
///
/// The weights are not rotated: a framework that scatters kernels wants them rotated by 180 degrees first. The first
/// window lies around `offset * stride + kernelOffset` of the spread image; it begins
/// `kernelWidth >> 1` to the left of that, as that of a convolution does.
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnconvolutiontranspose
open class MPSCNNConvolutionTranspose: MPSCNNKernel {
  /// Channels of the source.
  public let inputFeatureChannels: Int
  /// Channels of the result.
  public let outputFeatureChannels: Int
  /// Parts of the channels that do not meet.
  public let groups: Int
  /// Where the weights came from.
  public let dataSource: any MPSCNNConvolutionDataSource
  /// Where the kernel starts in the spread image.
  open var kernelOffsetX = 0
  /// Where the kernel starts in the spread image.
  open var kernelOffsetY = 0
  /// How sums are added; in single precision unless set.
  open var accumulatorPrecisionOption: MPSNNConvolutionAccumulatorPrecisionOption = .float
  /// The stride enlarges.
  open override var isBackwards: Bool { true }

  private let loaded: LoadedWeights
  private let convolution: SpreadConvolution

  /// Loads the weights, copies them, and lets them go.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnconvolutiontranspose/init(device:weights:)
  public init(device: any MTLDevice, weights: any MPSCNNConvolutionDataSource) {
    dataSource = weights
    loaded = LoadedWeights(weights)
    let descriptor = loaded.descriptor
    precondition(
      descriptor.groups == 1 && !(descriptor is MPSCNNDepthWiseConvolutionDescriptor),
      "transposed convolutions with groups are not in the stand-in")
    precondition(
      descriptor.dilationRateX == 1 && descriptor.dilationRateY == 1,
      "dilated transposed convolutions are not in the stand-in")
    inputFeatureChannels = descriptor.inputFeatureChannels
    outputFeatureChannels = descriptor.outputFeatureChannels
    groups = descriptor.groups
    convolution = SpreadConvolution(descriptor, loaded.weights)
    super.init(device: device)
    label = loaded.label
    (kernelWidth, kernelHeight) = (descriptor.kernelWidth, descriptor.kernelHeight)
    (strideInPixelsX, strideInPixelsY) = (descriptor.strideInPixelsX, descriptor.strideInPixelsY)
  }

  override func outputChannels(_ sourceChannels: Int) -> Int { outputFeatureChannels }

  override func checkSizes(source: MPSImage, destination: MPSImage) {
    precondition(
      source.featureChannels - sourceFeatureChannelOffset >= inputFeatureChannels,
      "\(inputFeatureChannels) channels are read, the source has \(source.featureChannels)")
    precondition(edgeMode == .zero, "a transposed convolution with clamped edges is not documented")
    precondition(
      loaded.kernelType == .float16 || accumulatorPrecisionOption == .float,
      "float32 kernels need accumulatorPrecisionOption = .float")
  }

  override func place(_ descriptor: MPSImageDescriptor, source: MPSImage) {
    preconditionFailure(
      "pass a destination image; where a transposed convolution starts without is not documented")
  }

  override func body() -> Pass.Body {
    let finish = loaded.finish(roundingSums: accumulatorPrecisionOption != .float)
    let (kernelOffsetX, kernelOffsetY) = (kernelOffsetX, kernelOffsetY)
    let (strideX, strideY) = (strideInPixelsX, strideInPixelsY)
    let (left, top) = (kernelWidth >> 1, kernelHeight >> 1)
    return { [convolution] inputs, output in
      convolution.run(
        inputs[0].plane, x: inputs[0].x * strideX + kernelOffsetX - left,
        y: inputs[0].y * strideY + kernelOffsetY - top, output, finish: finish)
    }
  }
}

/// A convolution of an image with zeros between its pixels.
private struct SpreadConvolution: Sendable {
  let window: Convolution.Window
  let inputs: Int
  let outputs: Int
  /// (window row, window column, input channel, output channel).
  let weights: [Float]

  init(_ descriptor: MPSCNNConvolutionDescriptor, _ given: [Float]) {
    window = descriptor.window
    inputs = descriptor.inputFeatureChannels
    outputs = descriptor.outputFeatureChannels
    let taps = window.width * window.height
    var weights = [Float](repeating: 0, count: given.count)
    for output in 0..<outputs {
      for index in 0..<taps * inputs {
        weights[index * outputs + output] = given[output * taps * inputs + index]
      }
    }
    self.weights = weights
  }

  /// - Parameters:
  ///   - x: The left edge of the first window in the spread image.
  ///   - y: Its top edge.
  func run(
    _ source: Plane, x firstX: Int, y firstY: Int, _ output: Pass.Output,
    finish: @Sendable (UnsafeMutablePointer<Float>) -> Void
  ) {
    parallel(output.height) { y in
      for x in 0..<output.width {
        let result = output.pixel(x, y)
        result.update(repeating: 0, count: outputs)
        for row in 0..<window.height {
          guard let sourceY = place(firstY + y + row, window.strideY, source.height) else {
            continue
          }
          for column in 0..<window.width {
            guard let sourceX = place(firstX + x + column, window.strideX, source.width) else {
              continue
            }
            add(source.pixel(sourceX, sourceY), tap: row * window.width + column, to: result)
          }
        }
        finish(result)
      }
    }
  }

  /// The pixel at a place of the spread image, if it is not one of the zeros.
  private func place(_ spread: Int, _ stride: Int, _ size: Int) -> Int? {
    spread >= 0 && spread % stride == 0 && spread / stride < size ? spread / stride : nil
  }

  private func add(
    _ pixel: UnsafePointer<Float>, tap: Int, to result: UnsafeMutablePointer<Float>
  ) {
    weights.withUnsafeBufferPointer { weights in
      for input in 0..<inputs {
        let (value, first) = (pixel[input], (tap * inputs + input) * outputs)
        for output in 0..<outputs { result[output] += value * weights[first + output] }
      }
    }
  }
}
