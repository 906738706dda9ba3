import MetalPerformanceShaders
import Testing

/// Kernels of 1, 10, 100 and so on show in each digit of a result which pixel a weight met.
@Suite struct ConvolutionTests {
  let lab = Lab()

  func convolution(
    _ shape: MPSCNNConvolutionDescriptor, _ weights: [Float], biases: [Float] = []
  ) -> MPSCNNConvolution {
    MPSCNNConvolution(device: lab.device, weights: Weights(shape, weights, biases: biases))
  }

  @Test func `an odd window lies around the offset, and outside are zeros`() {
    let kernel = convolution(shape(width: 3, height: 1, 1, 1), [1, 10, 100])
    let source = lab.row([1, 2, 3, 4, 5])
    #expect(lab.run(kernel, on: source, 5, 1, 1) == [210, 321, 432, 543, 54])
    kernel.offset.x = 1
    #expect(lab.run(kernel, on: source, 3, 1, 1) == [321, 432, 543])
    kernel.offset.x = -2
    #expect(lab.run(kernel, on: source, 3, 1, 1) == [0, 100, 210])
  }

  @Test func `clamped edges repeat the outermost pixel`() {
    let kernel = convolution(shape(width: 3, height: 1, 1, 1), [1, 10, 100])
    kernel.edgeMode = .clamp
    #expect(lab.run(kernel, on: lab.row([1, 2, 3, 4, 5]), 5, 1, 1) == [211, 321, 432, 543, 554])
  }

  @Test func `an even window begins half of its width to the left`() {
    let source = lab.row([1, 2, 3, 4, 5])
    let two = convolution(shape(width: 2, height: 1, 1, 1), [1, 10])
    #expect(lab.run(two, on: source, 5, 1, 1) == [10, 21, 32, 43, 54])
    two.offset.x = 1
    #expect(lab.run(two, on: source, 5, 1, 1) == [21, 32, 43, 54, 5])
    let four = convolution(shape(width: 4, height: 1, 1, 1), [1, 10, 100, 1000])
    #expect(lab.run(four, on: source, 5, 1, 1) == [2100, 3210, 4321, 5432, 543])
  }

  @Test func `strides move the window`() {
    let kernel = convolution(
      shape(width: 2, height: 1, 1, 1) { $0.strideInPixelsX = 2 }, [1, 10])
    kernel.offset.x = 1
    #expect(lab.run(kernel, on: lab.row([1, 2, 3, 4, 5]), 3, 1, 1) == [21, 43, 5])
  }

  @Test func `a dilated window is centred with its holes`() {
    let kernel = convolution(
      shape(width: 3, height: 1, 1, 1) { $0.dilationRateX = 2 }, [1, 10, 100])
    #expect(lab.run(kernel, on: lab.row([1, 2, 3, 4, 5]), 5, 1, 1) == [310, 420, 531, 42, 53])
  }

  @Test func `rows are not columns`() {
    // 3 x 2 pixels; a window of two rows, and one of three columns and two rows with strides 2 and 1.
    let source = lab.image([1, 2, 3, 4, 5, 6], 3, 2, 1)
    let tall = convolution(shape(width: 1, height: 2, 1, 1), [1, 10])
    #expect(lab.run(tall, on: source, 3, 2, 1) == [10, 20, 30, 41, 52, 63])
    let both = convolution(
      shape(width: 3, height: 2, 1, 1) { $0.strideInPixelsX = 2 },
      [1, 10, 100, 1000, 10_000, 100_000])
    both.offset.y = 1
    #expect(lab.run(both, on: source, 2, 1, 1) == [540_210, 65_032])
  }

  @Test func `weights are in the order output, row, column, input`() {
    let source = lab.image([1, 2, 3, 4, 5, 6, 7, 8], 2, 2, 2)
    var weights = [Float](repeating: 0, count: 16)
    weights[3] = 1  // output 0: row 0, column 1, input 1
    weights[8 + 4] = 1  // output 1: row 1, column 0, input 0
    let kernel = convolution(shape(width: 2, height: 2, 2, 2), weights)
    kernel.offset = MPSOffset(x: 1, y: 1, z: 0)
    #expect(lab.run(kernel, on: source, 1, 1, 2) == [4, 5])
  }

  @Test func `nine channels cross the slices`() {
    // Output o is input 8 - o.
    let weights = (0..<81).map { Float($0 / 9 + $0 % 9 == 8 ? 1 : 0) }
    let kernel = convolution(shape(width: 1, height: 1, 9, 9), weights)
    let source = lab.image((1...18).map(Float.init), 2, 1, 9)
    #expect(
      lab.run(kernel, on: source, 2, 1, 9) == [
        9, 8, 7, 6, 5, 4, 3, 2, 1, 18, 17, 16, 15, 14, 13, 12, 11, 10,
      ])
  }

  @Test func `groups do not meet`() {
    let kernel = convolution(
      shape(width: 1, height: 1, 8, 8) { $0.groups = 2 }, [Float](repeating: 1, count: 32))
    let source = lab.image((1...8).map(Float.init), 1, 1, 8)
    #expect(lab.run(kernel, on: source, 1, 1, 8) == [10, 10, 10, 10, 26, 26, 26, 26])
  }

  @Test func `the destination's clip rectangle and first channel`() {
    let kernel = convolution(shape(width: 1, height: 1, 1, 1), [1])
    let source = lab.image([1, 2, 3, 4, 5, 6], 3, 2, 1)
    let destination = lab.empty(3, 2, 5)
    kernel.clipRect = MTLRegionMake2D(1, 1, 9, 9)
    kernel.destinationFeatureChannelOffset = 4
    lab.run { kernel.encode(commandBuffer: $0, sourceImage: source, destinationImage: destination) }
    let expected: [Float] = [0, 0, 0, 0, 1, 2]  // the fifth channel; pixel (1, 1) meets (0, 0)
    #expect(lab.numbers(destination).enumerated().filter { $0.0 % 5 == 4 }.map(\.1) == expected)
    #expect(lab.numbers(destination).reduce(0, +) == 3)
  }

  @Test func `two kernels write one image side by side`() {
    let (first, second) = (
      convolution(shape(width: 1, height: 1, 1, 4), [1, 2, 3, 4]),
      convolution(shape(width: 1, height: 1, 1, 3), [5, 6, 7])
    )
    second.destinationFeatureChannelOffset = 4
    let (source, destination) = (lab.row([1, 10]), lab.empty(2, 1, 7))
    lab.run {
      first.encode(commandBuffer: $0, sourceImage: source, destinationImage: destination)
      second.encode(commandBuffer: $0, sourceImage: source, destinationImage: destination)
    }
    #expect(
      lab.numbers(destination) == [1, 2, 3, 4, 5, 6, 7, 10, 20, 30, 40, 50, 60, 70])
  }

  @Test func `a part of the source's channels`() {
    let kernel = convolution(shape(width: 1, height: 1, 2, 1), [1, 10])
    kernel.sourceFeatureChannelOffset = 4
    #expect(lab.run(kernel, on: lab.image([1, 2, 3, 4, 5, 6, 7], 1, 1, 7), 1, 1, 1) == [65])
  }

  @Test func `images of a batch are told by z`() {
    let kernel = convolution(shape(width: 1, height: 1, 1, 1), [10])
    let (source, destination) = (lab.empty(1, 1, 1, images: 3), lab.empty(1, 1, 1, images: 4))
    for image in 0..<3 {
      source.writeBytes(
        [Float(image + 1)], dataLayout: .HeightxWidthxFeatureChannels, imageIndex: image)
    }
    kernel.offset.z = 1
    kernel.clipRect = MTLRegionMake3D(0, 0, 2, 1, 1, 2)
    lab.run { kernel.encode(commandBuffer: $0, sourceImage: source, destinationImage: destination) }
    #expect((0..<4).flatMap { lab.numbers(destination, imageIndex: $0) } == [0, 0, 20, 30])
  }

  @Test func `bias, normalisation and neuron, in that order`() {
    // I = 4 / sqrt(3 + 1) = 2; weight 2 * 2 = 4; bias 1 * 2 + 5 - 2 * 1 = 5.
    let descriptor = shape(width: 1, height: 1, 1, 1) {
      $0.setBatchNormalizationParametersForInferenceWithMean(
        [1], variance: [3], gamma: [4], beta: [5], epsilon: 1)
      $0.fusedNeuronDescriptor = .cnnNeuronDescriptor(with: .reLU, a: 0.5)
    }
    let kernel = convolution(descriptor, [2], biases: [1])
    #expect(lab.run(kernel, on: lab.row([3, -3]), 2, 1, 1) == [17, -3.5])
  }

  @Test func `a neuron with a parameter for each channel`() {
    let slopes: [Float] = [0.5, 0.25]
    let descriptor = shape(width: 1, height: 1, 1, 2) {
      $0.fusedNeuronDescriptor = .cnnNeuronPReLUDescriptor(
        with: slopes.withUnsafeBytes { Data($0) }, noCopy: false)
    }
    let kernel = convolution(descriptor, [1, 1])
    #expect(lab.run(kernel, on: lab.row([-8, 8]), 2, 1, 2) == [-4, -2, 8, 8])
  }

  @Test func `weights are loaded, read and purged when the kernel is made`() {
    let weights = Weights(shape(width: 1, height: 1, 1, 1), [3])
    let kernel = MPSCNNConvolution(device: lab.device, weights: weights)
    #expect(weights.calls == ["load", "weights", "purge"])
    weights.numbers[0] = 9
    #expect(lab.run(kernel, on: lab.row([1]), 1, 1, 1) == [3])
    #expect(kernel.label == "weights" && kernel.channelMultiplier == 0)
  }

  @Test func `kernels are halves unless the source asks for floats`() {
    // 2049 is no half.
    let (one, source) = (shape(width: 1, height: 1, 1, 1), lab.row([1]))
    let floats = Weights(one, [2049])
    let rounded = Weights(one, [2049], kernelType: .float16)
    let halves = Weights(one, [0.1], type: .float16, kernelType: .float16)
    let results = [floats, rounded, halves].map {
      lab.run(MPSCNNConvolution(device: lab.device, weights: $0), on: source, 1, 1, 1)
    }
    #expect(results == [[2049], [2048], [0.0999755859375]])
  }

  @Test func `a data source without a kernel type means halves`() {
    final class Plain: NSObject, MPSCNNConvolutionDataSource {
      let number: UnsafeMutablePointer<Float> = .allocate(capacity: 1)
      override init() { number.initialize(to: 2049) }
      deinit { number.deallocate() }
      func dataType() -> MPSDataType { .float32 }
      func descriptor() -> MPSCNNConvolutionDescriptor { shape(width: 1, height: 1, 1, 1) }
      func weights() -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(number) }
      func biasTerms() -> UnsafeMutablePointer<Float>? { nil }
      func load() -> Bool { true }
      func purge() {}
      func label() -> String? { nil }
      func copy(with zone: NSZone? = nil) -> Any { self }
    }
    let kernel = MPSCNNConvolution(device: lab.device, weights: Plain())
    #expect(lab.run(kernel, on: lab.row([1]), 1, 1, 1) == [2048])
  }

  @Test func `sums are floats, results are halves, biases stay floats`() {
    // 2048 + 1 + 1: halves would stay at 2048. The bias 0.5 is added before rounding: 2050.5 -> 2050.
    let descriptor = shape(width: 3, height: 1, 1, 1)
    let kernel = convolution(descriptor, [1, 1, 1], biases: [0.5])
    kernel.offset.x = 1
    let source = lab.row([2048, 1, 1])
    #expect(lab.run(kernel, on: source, 1, 1, 1, .float16) == [2050])
    #expect(lab.run(kernel, on: source, 1, 1, 1) == [2050.5])
  }

  @Test func `half sums are rounded before the bias`() {
    let kernel = MPSCNNConvolution(
      device: lab.device,
      weights: Weights(
        shape(width: 1, height: 1, 1, 1), [1], biases: [0.25], kernelType: .float16))
    kernel.accumulatorPrecisionOption = .half
    #expect(lab.run(kernel, on: lab.row([2049]), 1, 1, 1) == [2048.25])
  }

  @Test func `an image of many pixels and channels`() {
    // All weights 1: a window of 3 x 3 with 5 channels of ones sums to 45 inside, 30 at an edge, 20 in a corner.
    let kernel = convolution(
      shape(width: 3, height: 3, 5, 18), [Float](repeating: 1, count: 18 * 45))
    let source = lab.image([Float](repeating: 1, count: 7 * 6 * 5), 7, 6, 5)
    let result = lab.run(kernel, on: source, 7, 6, 18)
    for y in 0..<6 {
      for x in 0..<7 {
        let expected = Float((x == 0 || x == 6 ? 2 : 3) * (y == 0 || y == 5 ? 2 : 3) * 5)
        #expect(result[((y * 7 + x) * 18)..<((y * 7 + x) * 18 + 18)].allSatisfy { $0 == expected })
      }
    }
  }

  @Test func `depthwise kernels keep to their channel`() {
    let descriptor = MPSCNNDepthWiseConvolutionDescriptor(
      kernelWidth: 2, kernelHeight: 1, inputFeatureChannels: 5, outputFeatureChannels: 5)
    // [output][row][column]: channel c has the weights 1 and 10^c.
    let weights: [Float] = [1, 1, 1, 10, 1, 100, 1, 1000, 1, 10000]
    let kernel = convolution(descriptor, weights)
    kernel.offset.x = 1
    let source = lab.image([1, 2, 3, 4, 5, 6, 7, 8, 9, 9], 2, 1, 5)
    #expect(lab.run(kernel, on: source, 1, 1, 5) == [7, 72, 803, 9004, 90005])
    #expect(kernel.channelMultiplier == 1)
  }

  @Test func `a fully-connected layer takes the whole image and no offset`() {
    // [output][row][column][input] over 2 x 1 pixels of 2 channels.
    let kernel = MPSCNNFullyConnected(
      device: lab.device,
      weights: Weights(
        shape(width: 2, height: 1, 2, 2), [1, 10, 100, 1000, 1, 1, 1, 1], biases: [0.5, 0]))
    kernel.offset = MPSOffset(x: 7, y: 7, z: 0)
    #expect(lab.run(kernel, on: lab.image([1, 2, 3, 4], 2, 1, 2), 1, 1, 2) == [4321.5, 10])
  }

  @Test func `a convolution is a fully-connected layer with the offset of half a kernel`() {
    let weights = (0..<140).map { Float($0 % 7) - 3 }
    let source = lab.image((0..<70).map { Float($0 % 5) - 2 }, 7, 5, 2)
    let full = MPSCNNFullyConnected(
      device: lab.device, weights: Weights(shape(width: 7, height: 5, 2, 2), weights))
    let kernel = convolution(shape(width: 7, height: 5, 2, 2), weights)
    kernel.offset = MPSOffset(x: 7 / 2, y: 5 / 2, z: 0)
    #expect(lab.run(kernel, on: source, 1, 1, 2) == lab.run(full, on: source, 1, 1, 2))
  }

  @Test func `many outputs of one pixel`() {
    // Output o is o * (1 + 2).
    let weights = (0..<1000).flatMap { [Float($0), Float($0)] }
    let kernel = MPSCNNFullyConnected(
      device: lab.device, weights: Weights(shape(width: 2, height: 1, 1, 1000), weights))
    #expect(lab.run(kernel, on: lab.row([1, 2]), 1, 1, 1000) == (0..<1000).map { Float($0 * 3) })
  }

  @Test func `a group that is no multiple of four channels stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let descriptor = shape(width: 1, height: 1, 2, 2) { $0.groups = 2 }
      _ = MPSCNNConvolution(device: Lab().device, weights: Weights(descriptor, [1, 1]))
    }
  }

  @Test func `too few channels in the destination stop the program`() async {
    await #expect(processExitsWith: .failure) {
      let lab = Lab()
      let kernel = MPSCNNConvolution(
        device: lab.device, weights: Weights(shape(width: 1, height: 1, 1, 3), [1, 1, 1]))
      _ = lab.run(kernel, on: lab.row([1]), 1, 1, 2)
    }
  }
}
