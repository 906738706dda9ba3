/// Convolves an image with kernels, which are not rotated.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnconvolution
open class MPSCNNConvolution: MPSCNNKernel {
  /// Channels of the source.
  public let inputFeatureChannels: Int
  /// Channels of the result.
  public let outputFeatureChannels: Int
  /// Parts of the channels that do not meet.
  public let groups: Int
  /// Where the weights came from.
  public let dataSource: any MPSCNNConvolutionDataSource
  /// Output channels for each input channel of a depthwise convolution, otherwise 0.
  public let channelMultiplier: Int
  /// The neuron behind the convolution.
  open var fusedNeuronDescriptor: MPSNNNeuronDescriptor? { loaded.descriptor.fusedNeuronDescriptor }
  /// How sums are added; in single precision unless set.
  open var accumulatorPrecisionOption: MPSNNConvolutionAccumulatorPrecisionOption = .float

  private let loaded: LoadedWeights
  private let kernels: Kernels

  private enum Kernels: Sendable {
    case full(Convolution)
    case depthwise(DepthwiseConvolution)
  }

  /// Loads the weights, copies them, and lets them go.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnconvolution/init(device:weights:)
  public init(device: any MTLDevice, weights: any MPSCNNConvolutionDataSource) {
    dataSource = weights
    loaded = LoadedWeights(weights)
    let descriptor = loaded.descriptor
    inputFeatureChannels = descriptor.inputFeatureChannels
    outputFeatureChannels = descriptor.outputFeatureChannels
    groups = descriptor.groups
    if let depthwise = descriptor as? MPSCNNDepthWiseConvolutionDescriptor {
      channelMultiplier = depthwise.channelMultiplier
      kernels = .depthwise(Self.depthwise(depthwise, loaded.weights))
    } else {
      channelMultiplier = 0
      kernels = .full(Self.full(descriptor, loaded.weights))
    }
    super.init(device: device)
    label = loaded.label
    (kernelWidth, kernelHeight) = (descriptor.kernelWidth, descriptor.kernelHeight)
    (strideInPixelsX, strideInPixelsY) = (descriptor.strideInPixelsX, descriptor.strideInPixelsY)
    (dilationRateX, dilationRateY) = (descriptor.dilationRateX, descriptor.dilationRateY)
  }

  private static func full(
    _ descriptor: MPSCNNConvolutionDescriptor, _ weights: [Float]
  ) -> Convolution {
    let groups = descriptor.groups
    let inputs = descriptor.inputFeatureChannels / groups
    let outputs = descriptor.outputFeatureChannels / groups
    precondition(
      groups == 1
        || (inputs % 4 == 0 && outputs % 4 == 0
          && inputs * groups == descriptor.inputFeatureChannels
          && outputs * groups == descriptor.outputFeatureChannels),
      "each group has a multiple of 4 channels")
    let (height, width) = (descriptor.kernelHeight, descriptor.kernelWidth)
    return Convolution(
      window: descriptor.window, groups: groups, inputChannels: inputs, outputChannels: outputs
    ) { output, row, column, input in
      weights[((output * height + row) * width + column) * inputs + input]
    }
  }

  private static func depthwise(
    _ descriptor: MPSCNNDepthWiseConvolutionDescriptor, _ weights: [Float]
  ) -> DepthwiseConvolution {
    precondition(descriptor.groups == 1, "a depthwise convolution has one group")
    precondition(
      descriptor.inputFeatureChannels == descriptor.outputFeatureChannels,
      "a depthwise convolution has a channel multiplier of 1")
    let (height, width) = (descriptor.kernelHeight, descriptor.kernelWidth)
    return DepthwiseConvolution(
      window: descriptor.window, channels: descriptor.inputFeatureChannels, multiplier: 1
    ) { channel, _, row, column in weights[(channel * height + row) * width + column] }
  }

  /// The offset of the first window's centre in the source.
  func start(_ input: Pass.Input) -> (x: Int, y: Int) { (input.x, input.y) }

  override func outputChannels(_ sourceChannels: Int) -> Int { outputFeatureChannels }

  override func checkSizes(source: MPSImage, destination: MPSImage) {
    precondition(
      source.featureChannels - sourceFeatureChannelOffset >= inputFeatureChannels,
      "\(inputFeatureChannels) channels are read, the source has \(source.featureChannels)")
    precondition(
      loaded.kernelType == .float16 || accumulatorPrecisionOption == .float,
      "float32 kernels need accumulatorPrecisionOption = .float")
  }

  override func body() -> Pass.Body {
    let finish = loaded.finish(roundingSums: accumulatorPrecisionOption != .float)
    let (left, top) = (windowWidth >> 1, windowHeight >> 1)
    return { [self, kernels] inputs, output in
      let center = self.start(inputs[0])
      let start = Convolution.Start(
        x: center.x - left, y: center.y - top, clamps: inputs[0].edgeMode == .clamp)
      switch kernels {
      case .full(let convolution):
        convolution.run(
          inputs[0].plane, start: start, width: output.width, height: output.height,
          pixel: { output.pixel($0, $1) }, pixelStride: output.plane.channelStride, finish: finish)
      case .depthwise(let convolution):
        convolution.run(
          inputs[0].plane, start: start, width: output.width, height: output.height,
          pixel: { output.pixel($0, $1) }, finish: finish)
      }
    }
  }
}

/// A convolution whose window is the whole source; the result has one pixel.
///
/// The offset plays no part.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnfullyconnected
open class MPSCNNFullyConnected: MPSCNNConvolution {
  override func start(_ input: Pass.Input) -> (x: Int, y: Int) {
    (windowWidth >> 1, windowHeight >> 1)
  }

  override func checkSizes(source: MPSImage, destination: MPSImage) {
    super.checkSizes(source: source, destination: destination)
    precondition(
      source.width == kernelWidth && source.height == kernelHeight,
      "the source of \(source.width) x \(source.height) pixels is not as large as the kernel")
    precondition(
      min(clipRect.size.width, destination.width) == 1
        && min(clipRect.size.height, destination.height) == 1,
      "a fully-connected layer writes one pixel")
    precondition(
      strideInPixelsX == 1 && strideInPixelsY == 1 && groups == 1,
      "a fully-connected layer has a stride of 1 and one group")
  }

  override func place(_ descriptor: MPSImageDescriptor, source: MPSImage) {
    (descriptor.width, descriptor.height) = (1, 1)
  }
}
