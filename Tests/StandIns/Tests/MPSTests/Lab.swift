import MetalPerformanceShaders

/// A device with a queue, and images from numbers and back.
struct Lab {
  let device: any MTLDevice
  let queue: any MTLCommandQueue

  init() {
    guard let device = MTLCreateSystemDefaultDevice(), let queue = device.makeCommandQueue() else {
      fatalError("no device")
    }
    (self.device, self.queue) = (device, queue)
  }

  func empty(
    _ width: Int, _ height: Int, _ channels: Int,
    _ format: MPSImageFeatureChannelFormat = .float32, images: Int = 1
  ) -> MPSImage {
    MPSImage(
      device: device,
      imageDescriptor: MPSImageDescriptor(
        channelFormat: format, width: width, height: height, featureChannels: channels,
        numberOfImages: images, usage: [.shaderRead, .shaderWrite]))
  }

  /// Numbers in the order row, column, channel.
  func image(_ numbers: [Float], _ width: Int, _ height: Int, _ channels: Int) -> MPSImage {
    precondition(numbers.count == width * height * channels)
    let image = empty(width, height, channels)
    image.writeBytes(numbers, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: 0)
    return image
  }

  /// One row of one channel.
  func row(_ numbers: [Float]) -> MPSImage { image(numbers, numbers.count, 1, 1) }

  func run(_ encode: (any MTLCommandBuffer) -> Void) {
    guard let buffer = queue.makeCommandBuffer() else { fatalError("no command buffer") }
    encode(buffer)
    buffer.commit()
    buffer.waitUntilCompleted()
  }

  /// Synchronises, and reads in the order row, column, channel.
  func numbers(_ image: MPSImage, imageIndex: Int = 0) -> [Float] {
    run { image.synchronize(on: $0) }
    let count = image.width * image.height * image.featureChannels
    switch image.featureChannelFormat {
    case .float32:
      var numbers = [Float](repeating: -99, count: count)
      image.readBytes(
        &numbers, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: imageIndex)
      return numbers
    case .float16:
      var numbers = [Float16](repeating: -99, count: count)
      image.readBytes(
        &numbers, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: imageIndex)
      return numbers.map { Float($0) }
    default:
      fatalError("an image of neither floats nor halves")
    }
  }

  /// The result of a kernel in an image of a size.
  func run(
    _ kernel: MPSCNNKernel, on source: MPSImage, _ width: Int, _ height: Int, _ channels: Int,
    _ format: MPSImageFeatureChannelFormat = .float32
  ) -> [Float] {
    let destination = empty(width, height, channels, format)
    run {
      kernel.encode(commandBuffer: $0, sourceImage: source, destinationImage: destination)
    }
    return numbers(destination)
  }
}

/// Weights from arrays, with float32 kernels unless said otherwise.
final class Weights: NSObject, MPSCNNConvolutionDataSource {
  let shape: MPSCNNConvolutionDescriptor
  let numbers: UnsafeMutableBufferPointer<Float>
  let halves: UnsafeMutableBufferPointer<Float16>
  let biases: UnsafeMutableBufferPointer<Float>
  let type: MPSDataType
  let kernelType: MPSDataType
  private(set) var calls: [String] = []

  init(
    _ shape: MPSCNNConvolutionDescriptor, _ numbers: [Float], biases: [Float] = [],
    type: MPSDataType = .float32, kernelType: MPSDataType = .float32
  ) {
    self.shape = shape
    self.numbers = .allocate(capacity: numbers.count)
    _ = self.numbers.initialize(from: numbers)
    halves = .allocate(capacity: numbers.count)
    _ = halves.initialize(from: numbers.map { Float16($0) })
    self.biases = .allocate(capacity: biases.count)
    _ = self.biases.initialize(from: biases)
    (self.type, self.kernelType) = (type, kernelType)
  }

  deinit {
    numbers.deallocate()
    halves.deallocate()
    biases.deallocate()
  }

  func dataType() -> MPSDataType { type }
  func descriptor() -> MPSCNNConvolutionDescriptor { shape }
  func weights() -> UnsafeMutableRawPointer {
    calls.append("weights")
    return UnsafeMutableRawPointer(
      type == .float32
        ? UnsafeMutableRawPointer(numbers.baseAddress.unsafelyUnwrapped)
        : UnsafeMutableRawPointer(halves.baseAddress.unsafelyUnwrapped))
  }
  func biasTerms() -> UnsafeMutablePointer<Float>? { biases.isEmpty ? nil : biases.baseAddress }
  func load() -> Bool {
    calls.append("load")
    return true
  }
  func purge() { calls.append("purge") }
  func label() -> String? { "weights" }
  func copy(with zone: NSZone? = nil) -> Any { self }
  func kernelWeightsDataType() -> MPSDataType { kernelType }
}

/// A descriptor in one line.
func shape(
  width: Int, height: Int, _ inputs: Int, _ outputs: Int,
  _ configure: (MPSCNNConvolutionDescriptor) -> Void = { _ in }
) -> MPSCNNConvolutionDescriptor {
  let descriptor = MPSCNNConvolutionDescriptor(
    kernelWidth: width, kernelHeight: height, inputFeatureChannels: inputs,
    outputFeatureChannels: outputs)
  configure(descriptor)
  return descriptor
}
