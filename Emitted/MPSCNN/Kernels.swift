import MetalPerformanceShaders

/// Makes the network's kernels.
///
/// MPSCNN places a window by its middle: one of w pixels begins w / 2 (rounded down) to the left of the offset. The
/// functions here take the padding, the number of pixels by which the first window begins outside of the image, so
/// that `offset = w / 2 - padding`. What is at the right and at the bottom follows from the size of the result.
///
/// Nothing is inlined here: of a large network that would take the compiler minutes.
struct NAMEKernels {
  let device: MTLDevice
  let parameters: NAMEParameters

  #if convolution
  /// A convolution; zeros lie around the image.
  @inline(never)
  func convolution(
    _ layer: String, role: String = "kernel", kernel: (width: Int, height: Int),
    channels: (from: Int, to: Int),
    stride: (x: Int, y: Int) = (1, 1), dilation: (x: Int, y: Int) = (1, 1), groups: Int = 1,
    padding: (left: Int, top: Int) = (0, 0), bias: Bool = true,
    neuron: MPSNNNeuronDescriptor? = nil
  ) throws -> MPSCNNConvolution {
    let shape = MPSCNNConvolutionDescriptor(
      kernelWidth: kernel.width, kernelHeight: kernel.height,
      inputFeatureChannels: channels.from, outputFeatureChannels: channels.to)
    (shape.strideInPixelsX, shape.strideInPixelsY) = (stride.x, stride.y)
    (shape.dilationRateX, shape.dilationRateY) = (dilation.x, dilation.y)
    shape.groups = groups
    if let neuron { shape.fusedNeuronDescriptor = neuron }
    let convolution = MPSCNNConvolution(
      device: device,
      weights: try NAMEWeights(
        layer, role, shape,
        [channels.to, kernel.height, kernel.width, channels.from / groups], hasBias: bias,
        parameters))
    // The default, and a must for kernels of floats: sums of halves lose what a long kernel adds up.
    convolution.accumulatorPrecisionOption = .float
    // A dilated window is placed by its middle with the holes in it.
    convolution.offset = MPSOffset(
      x: ((kernel.width - 1) * dilation.x + 1) / 2 - padding.left,
      y: ((kernel.height - 1) * dilation.y + 1) / 2 - padding.top, z: 0)
    return convolution
  }
  #endif

  #if depthwiseConvolution
  /// A convolution of each channel with a kernel of its own; zeros lie around the image.
  @inline(never)
  func depthwiseConvolution(
    _ layer: String, role: String = "kernel", kernel: (width: Int, height: Int), channels: Int,
    stride: (x: Int, y: Int) = (1, 1), dilation: (x: Int, y: Int) = (1, 1),
    padding: (left: Int, top: Int) = (0, 0), bias: Bool = true,
    neuron: MPSNNNeuronDescriptor? = nil
  ) throws -> MPSCNNConvolution {
    let shape = MPSCNNDepthWiseConvolutionDescriptor(
      kernelWidth: kernel.width, kernelHeight: kernel.height, inputFeatureChannels: channels,
      outputFeatureChannels: channels)
    (shape.strideInPixelsX, shape.strideInPixelsY) = (stride.x, stride.y)
    (shape.dilationRateX, shape.dilationRateY) = (dilation.x, dilation.y)
    if let neuron { shape.fusedNeuronDescriptor = neuron }
    let convolution = MPSCNNConvolution(
      device: device,
      weights: try NAMEWeights(
        layer, role, shape, [channels, 1, kernel.height, kernel.width], hasBias: bias, parameters))
    // The default, and a must for kernels of floats: sums of halves lose what a long kernel adds up.
    convolution.accumulatorPrecisionOption = .float
    // A dilated window is placed by its middle with the holes in it.
    convolution.offset = MPSOffset(
      x: ((kernel.width - 1) * dilation.x + 1) / 2 - padding.left,
      y: ((kernel.height - 1) * dilation.y + 1) / 2 - padding.top, z: 0)
    return convolution
  }
  #endif

  #if transposedConvolution
  /// A transposed convolution: the image is spread out among zeros, and convolved.
  ///
  /// Kernels are given rotated by 180 degrees, since MPSCNN does not rotate them, and are of floats in any network: the
  /// header allows nothing else.
  ///
  /// - Parameter padding: columns and rows of the result that are cut off at the left and at the top.
  @inline(never)
  func transposedConvolution(
    _ layer: String, kernel: (width: Int, height: Int), channels: (from: Int, to: Int),
    stride: (x: Int, y: Int) = (1, 1), padding: (left: Int, top: Int) = (0, 0),
    bias: Bool = true, neuron: MPSNNNeuronDescriptor? = nil
  ) throws -> MPSCNNConvolutionTranspose {
    let shape = MPSCNNConvolutionDescriptor(
      kernelWidth: kernel.width, kernelHeight: kernel.height,
      inputFeatureChannels: channels.from, outputFeatureChannels: channels.to)
    (shape.strideInPixelsX, shape.strideInPixelsY) = (stride.x, stride.y)
    if let neuron { shape.fusedNeuronDescriptor = neuron }
    let convolution = MPSCNNConvolutionTranspose(
      device: device,
      weights: try NAMEWeights(
        layer, "kernel", shape, [channels.to, kernel.height, kernel.width, channels.from],
        isHalf: false, hasBias: bias, parameters))
    // The default, and a must for kernels of floats: sums of halves lose what a long kernel adds up.
    convolution.accumulatorPrecisionOption = .float
    // The first window that is not cut off ends with the padding-th pixel; it is placed by its middle.
    convolution.kernelOffsetX = kernel.width / 2 - (kernel.width - 1) + padding.left
    convolution.kernelOffsetY = kernel.height / 2 - (kernel.height - 1) + padding.top
    return convolution
  }
  #endif

  #if fullyConnected
  /// A fully-connected layer: a convolution whose kernel is as large as the image.
  ///
  /// It needs no offset. For each output the kernel has a value for each of the image's: row after row, all channels of
  /// a pixel together.
  @inline(never)
  func fullyConnected(
    _ layer: String, image: (height: Int, width: Int, channels: Int), to outputs: Int,
    bias: Bool = true, neuron: MPSNNNeuronDescriptor? = nil
  ) throws -> MPSCNNFullyConnected {
    let shape = MPSCNNConvolutionDescriptor(
      kernelWidth: image.width, kernelHeight: image.height,
      inputFeatureChannels: image.channels, outputFeatureChannels: outputs)
    if let neuron { shape.fusedNeuronDescriptor = neuron }
    let connected = MPSCNNFullyConnected(
      device: device,
      weights: try NAMEWeights(
        layer, "kernel", shape, [outputs, image.height, image.width, image.channels],
        hasBias: bias, parameters))
    // The default, and a must for kernels of floats: sums of halves lose what a long kernel adds up.
    connected.accumulatorPrecisionOption = .float
    return connected
  }
  #endif

  #if rectifier
  /// A rectifier with a slope below 0 for each channel.
  @inline(never)
  func rectifier(_ layer: String, channels: Int) throws -> MPSCNNNeuron {
    let slopes = try parameters.tensor(layer, "alpha", [channels])
    guard !slopes.isHalf else { throw NAMEError("the slopes of \(layer) are no floats") }
    return MPSCNNNeuron(
      device: device,
      neuronDescriptor: MPSNNNeuronDescriptor.cnnNeuronPReLUDescriptor(
        with: Data(bytes: slopes.pointer, count: channels * MemoryLayout<Float>.size),
        noCopy: false))
  }
  #endif

  #if maxPooling
  /// The largest value of each window.
  ///
  /// - Parameter edge: `.clamp` leaves out what lies outside of the image; with `.zero` a window that reaches outside
  ///   has a maximum of at least 0.
  @inline(never)
  func maxPooling(
    window: (width: Int, height: Int), stride: (x: Int, y: Int),
    padding: (left: Int, top: Int) = (0, 0), edge: MPSImageEdgeMode = .clamp
  ) -> MPSCNNPoolingMax {
    let pooling = MPSCNNPoolingMax(
      device: device, kernelWidth: window.width, kernelHeight: window.height,
      strideInPixelsX: stride.x, strideInPixelsY: stride.y)
    // A window of 2 pixels that begins in the corner has the offset 1, not 0.
    pooling.offset = MPSOffset(
      x: window.width / 2 - padding.left, y: window.height / 2 - padding.top, z: 0)
    pooling.edgeMode = edge
    return pooling
  }
  #endif

  #if averagePooling
  /// The mean of each window.
  ///
  /// - Parameter edge: `.clamp` leaves out what lies outside of the image, and divides by the number of pixels inside;
  ///   with `.zero` the zeros count.
  @inline(never)
  func averagePooling(
    window: (width: Int, height: Int), stride: (x: Int, y: Int),
    padding: (left: Int, top: Int) = (0, 0), edge: MPSImageEdgeMode = .clamp
  ) -> MPSCNNPoolingAverage {
    let pooling = MPSCNNPoolingAverage(
      device: device, kernelWidth: window.width, kernelHeight: window.height,
      strideInPixelsX: stride.x, strideInPixelsY: stride.y)
    // A window of 2 pixels that begins in the corner has the offset 1, not 0.
    pooling.offset = MPSOffset(
      x: window.width / 2 - padding.left, y: window.height / 2 - padding.top, z: 0)
    pooling.edgeMode = edge
    return pooling
  }
  #endif
}
