import MetalPerformanceShaders
import Testing

/// The kernels of 1, 10 and so on show where the windows lie.
@Suite struct PaddingTests {
  let lab = Lab()

  func run(_ kernel: MPSCNNKernel, _ method: MPSNNPaddingMethod, _ source: MPSImage) -> MPSImage {
    kernel.padding = MPSNNDefaultPadding(method: method)
    return run(kernel, source)
  }

  func run(_ kernel: MPSCNNKernel, _ source: MPSImage) -> MPSImage {
    kernel.destinationImageAllocator = MPSImage.defaultAllocator()
    var result: MPSImage?
    lab.run { result = kernel.encode(commandBuffer: $0, sourceImage: source) }
    guard let result else { fatalError("no result") }
    return result
  }

  func kernel(_ width: Int, stride: Int = 1) -> MPSCNNConvolution {
    MPSCNNConvolution(
      device: lab.device,
      weights: Weights(
        shape(width: width, height: 1, 1, 1) { $0.strideInPixelsX = stride },
        (0..<width).map { pow(10, Float($0)) }))
  }

  @Test func `valid, same and full sizes`() {
    let source = lab.row([1, 2, 3, 4, 5])
    #expect(lab.numbers(run(kernel(3), .validOnly, source)) == [321, 432, 543])
    #expect(lab.numbers(run(kernel(3), .sizeSame, source)) == [210, 321, 432, 543, 54])
    #expect(
      lab.numbers(run(kernel(3), .sizeFull, source)) == [100, 210, 321, 432, 543, 54, 5])
  }

  @Test func `the remainder of an even window goes to one side`() {
    let source = lab.row([1, 2, 3])
    #expect(lab.numbers(run(kernel(2), [.sizeSame, .topLeft], source)) == [10, 21, 32])
    #expect(
      lab.numbers(run(kernel(2), [.sizeSame, .addRemainderToBottomRight], source)) == [21, 32, 3])
  }

  @Test func `TensorFlow's same padding has its remainder at the end`() {
    // 6 pixels, a window of 3 and a stride of 2: one pixel of padding, behind.
    let method: MPSNNPaddingMethod = [.sizeSame, .addRemainderToBottomRight]
    let result = run(kernel(3, stride: 2), method, lab.row([1, 2, 3, 4, 5, 6]))
    #expect(lab.numbers(result) == [321, 543, 65])
  }

  @Test func `TensorFlow's average leaves padding out`() {
    let kernel = MPSCNNPoolingAverage(
      device: lab.device, kernelWidth: 2, kernelHeight: 1, strideInPixelsX: 2, strideInPixelsY: 1)
    kernel.padding = MPSNNDefaultPadding.forTensorflowAveragePooling()
    #expect(lab.numbers(run(kernel, lab.row([1, 5, 2, 8, 3]))) == [3, 5, 3])
    #expect(kernel.edgeMode == .clamp && kernel.offset.x == 1)
  }

  @Test func `a fully-connected layer returns a pixel, an upsampling a larger image`() {
    let full = MPSCNNFullyConnected(
      device: lab.device, weights: Weights(shape(width: 2, height: 1, 1, 2), [1, 10, 1, 1]))
    #expect(lab.numbers(run(full, lab.row([1, 2]))) == [21, 3])
    let up = MPSCNNUpsamplingNearest(
      device: lab.device, integerScaleFactorX: 2, integerScaleFactorY: 1)
    #expect(lab.numbers(run(up, lab.row([1, 2]))) == [1, 1, 2, 2])
  }

  @Test func `results have the source's format and are temporary unless said otherwise`() {
    let neuron = MPSCNNNeuron(
      device: lab.device, neuronDescriptor: .cnnNeuronDescriptor(with: .none))
    let source = lab.empty(3, 2, 5, .float16)
    lab.run {
      let result = neuron.encode(commandBuffer: $0, sourceImage: source)
      #expect(result is MPSTemporaryImage && result.featureChannelFormat == .float16)
      #expect(result.width == 3 && result.height == 2 && result.featureChannels == 5)
    }
  }

  @Test func `the padding of a window is not guessed`() async {
    await #expect(processExitsWith: .failure) {
      let lab = Lab()
      let pooling = MPSCNNPoolingMax(device: lab.device, kernelWidth: 2, kernelHeight: 2)
      let source = lab.row([1])
      lab.run { _ = pooling.encode(commandBuffer: $0, sourceImage: source) }
    }
  }
}
