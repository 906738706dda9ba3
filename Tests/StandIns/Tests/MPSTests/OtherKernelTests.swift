import MetalPerformanceShaders
import Testing

@Suite struct OtherKernelTests {
  let lab = Lab()

  @Test func `softmax runs over a pixel's channels, all of them and no more`() {
    let (one, two) = (log(Float(2)), log(Float(3)))
    // 5 channels: exponentials 1, 2, 3, 1, 1 of 8; then equal ones.
    let source = lab.image([0, one, two, 0, 0, 7, 7, 7, 7, 7], 2, 1, 5)
    let found = lab.run(MPSCNNSoftMax(device: lab.device), on: source, 2, 1, 5)
    let expected: [Float] = [0.125, 0.25, 0.375, 0.125, 0.125, 0.2, 0.2, 0.2, 0.2, 0.2]
    for (value, wanted) in zip(found, expected) { #expect(abs(value - wanted) < 1e-7) }
  }

  @Test func `softmax of large numbers is finite`() {
    let source = lab.image([1000, 1000], 1, 1, 2)
    #expect(lab.run(MPSCNNSoftMax(device: lab.device), on: source, 1, 1, 2) == [0.5, 0.5])
  }

  @Test func `the logarithm of softmax`() {
    let source = lab.image([1000, 1000], 1, 1, 2)
    let found = lab.run(MPSCNNLogSoftMax(device: lab.device), on: source, 1, 1, 2)
    for value in found { #expect(abs(value + 0.693_147_18) < 1e-6) }
  }

  @Test func `normalisation`() {
    // Channel 0: 2 * (x - 1) / sqrt(3 + 1) + 5 = x + 4; channel 1: 3 * (x - 10) / sqrt(8 + 1) - 1 = x - 11.
    let data = Statistics(gamma: [2, 3], beta: [5, -1], mean: [1, 10], variance: [3, 8])
    let kernel = MPSCNNBatchNormalization(device: lab.device, dataSource: data)
    let source = lab.image([1, 1, 2, 20], 2, 1, 2)
    #expect(lab.run(kernel, on: source, 2, 1, 2) == [5, -10, 6, 9])
    #expect(data.calls == ["load", "purge"] && kernel.epsilon == 1)

    let fused = MPSCNNBatchNormalization(
      device: lab.device, dataSource: data,
      fusedNeuronDescriptor: .cnnNeuronDescriptor(with: .reLU, a: 0))
    #expect(lab.run(fused, on: source, 2, 1, 2) == [5, 0, 6, 9])
  }

  @Test func `zeros around an image follow from the offset, those of channels from the sizes`() {
    let pad = MPSNNPad(device: lab.device)
    pad.offset = MPSOffset(x: -1, y: 0, z: 0)
    #expect(lab.run(pad, on: lab.row([1, 2]), 4, 2, 1) == [0, 1, 2, 0, 0, 0, 0, 0])
    let made = MPSNNPad(
      device: lab.device, paddingSizeBefore: MPSImageCoordinate(x: 2, y: 1, channel: 0),
      paddingSizeAfter: MPSImageCoordinate(x: 1, y: 0, channel: 1))
    made.destinationImageAllocator = MPSImage.defaultAllocator()
    var result = lab.empty(1, 1, 1)
    lab.run { result = made.encode(commandBuffer: $0, sourceImage: lab.row([7])) }
    #expect(result.width == 4 && result.height == 2)
    #expect(lab.numbers(result) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0])
  }

  /// The example in MPSNNReshape.h; what is not written stays as it was.
  @Test func `channels of zeros, from any channel on`() {
    let pad = MPSNNPad(
      device: lab.device, paddingSizeBefore: MPSImageCoordinate(x: 0, y: 0, channel: 2),
      paddingSizeAfter: MPSImageCoordinate(x: 0, y: 0, channel: 3))
    pad.sourceFeatureChannelOffset = 1
    pad.sourceFeatureChannelMaxCount = 3
    pad.destinationFeatureChannelOffset = 4
    let destination = lab.image(Array(repeating: 9, count: 13), 1, 1, 13)
    lab.run {
      pad.encode(
        commandBuffer: $0, sourceImage: lab.image([10, 11, 12, 13, 14, 15], 1, 1, 6),
        destinationImage: destination)
    }
    #expect(lab.numbers(destination) == [9, 9, 9, 9, 0, 0, 11, 12, 13, 0, 0, 0, 9])
  }

  func arithmetic(
    _ kernel: MPSCNNArithmetic, _ first: MPSImage, _ second: MPSImage
  ) -> [Float] {
    let result = lab.empty(first.width, first.height, first.featureChannels)
    lab.run {
      kernel.encode(
        commandBuffer: $0, primaryImage: first, secondaryImage: second, destinationImage: result)
    }
    return lab.numbers(result)
  }

  @Test func `sums, differences, products and quotients`() {
    let (first, second) = (lab.row([6, 8]), lab.row([2, -4]))
    #expect(arithmetic(MPSCNNAdd(device: lab.device), first, second) == [8, 4])
    #expect(arithmetic(MPSCNNSubtract(device: lab.device), first, second) == [4, 12])
    #expect(arithmetic(MPSCNNMultiply(device: lab.device), first, second) == [12, -32])
    #expect(arithmetic(MPSCNNDivide(device: lab.device), first, second) == [3, -2])
  }

  @Test func `scales, bias and limits`() {
    let (first, second) = (lab.row([6, 8]), lab.row([2, -4]))
    let kernel = MPSCNNAdd(device: lab.device)
    (kernel.primaryScale, kernel.secondaryScale, kernel.bias) = (2, 10, 1)
    #expect(arithmetic(kernel, first, second) == [33, -23])
    (kernel.minimumValue, kernel.maximumValue) = (0, 30)
    #expect(arithmetic(kernel, first, second) == [30, 0])
  }

  @Test func `strides of zero repeat a pixel or a channel`() {
    let first = lab.image([1, 2, 3, 4, 5, 6], 3, 1, 2)
    let kernel = MPSCNNMultiply(device: lab.device)
    kernel.secondaryStrideInPixelsX = 0
    #expect(
      arithmetic(kernel, first, lab.image([10, 100], 1, 1, 2)) == [10, 200, 30, 400, 50, 600])
    kernel.secondaryStrideInFeatureChannels = 0
    #expect(arithmetic(kernel, first, lab.row([10])) == [10, 20, 30, 40, 50, 60])
  }

  @Test func `offsets and a first channel of sums`() {
    let kernel = MPSCNNAdd(device: lab.device)
    kernel.secondaryOffset.x = 1
    kernel.destinationFeatureChannelOffset = 4
    let (first, second) = (lab.row([1, 2]), lab.row([10, 20, 30]))
    let result = lab.empty(2, 1, 5)
    lab.run {
      kernel.encode(
        commandBuffer: $0, primaryImage: first, secondaryImage: second, destinationImage: result)
    }
    #expect(lab.numbers(result) == [0, 0, 0, 0, 21, 0, 0, 0, 0, 32])
  }

  @Test func `nearest upsampling repeats pixels`() {
    let kernel = MPSCNNUpsamplingNearest(
      device: lab.device, integerScaleFactorX: 3, integerScaleFactorY: 2)
    let source = lab.image([1, 10, 2, 20], 2, 1, 2)
    let row: [Float] = [1, 10, 1, 10, 1, 10, 2, 20, 2, 20, 2, 20]
    #expect(lab.run(kernel, on: source, 6, 2, 2) == row + row)
  }

  @Test func `bilinear upsampling and resizing keep the corners`() {
    // 2 x 2 pixels to 4 x 4: thirds between the corners; rows of thirds of (0, 3) to (6, 9).
    let source = lab.image([0, 3, 6, 9], 2, 2, 1)
    let expected = (0..<4).flatMap { y in (0..<4).map { x in Float(2 * y + x) } }
    let up = MPSCNNUpsamplingBilinear(
      device: lab.device, integerScaleFactorX: 2, integerScaleFactorY: 2, alignCorners: true)
    let to = MPSNNResizeBilinear(
      device: lab.device, resizeWidth: 4, resizeHeight: 4, alignCorners: true)
    for (value, wanted) in zip(lab.run(up, on: source, 4, 4, 1), expected) {
      #expect(abs(value - wanted) < 1e-5)
    }
    for (value, wanted) in zip(lab.run(to, on: source, 4, 4, 1), expected) {
      #expect(abs(value - wanted) < 1e-5)
    }
    let smaller = MPSNNResizeBilinear(
      device: lab.device, resizeWidth: 2, resizeHeight: 1, alignCorners: true)
    #expect(lab.run(smaller, on: lab.row([1, 5, 9]), 2, 1, 1) == [1, 9])
  }

  @Test func `bilinear without aligned corners is not guessed`() async {
    await #expect(processExitsWith: .failure) {
      _ = MPSNNResizeBilinear(
        device: Lab().device, resizeWidth: 4, resizeHeight: 4, alignCorners: false)
    }
  }

  @Test func `reductions`() {
    // 3 x 2 pixels with 2 channels: 1...12.
    let source = lab.image((1...12).map(Float.init), 3, 2, 2)
    let device = lab.device
    #expect(lab.run(MPSNNReduceRowMean(device: device), on: source, 1, 2, 2) == [3, 4, 9, 10])
    #expect(
      lab.run(MPSNNReduceColumnMean(device: device), on: source, 3, 1, 2) == [4, 5, 6, 7, 8, 9])
    #expect(
      lab.run(MPSNNReduceFeatureChannelsMean(device: device), on: source, 3, 2, 1) == [
        1.5, 3.5, 5.5, 7.5, 9.5, 11.5,
      ])
    #expect(
      lab.run(MPSNNReduceFeatureChannelsSum(device: device), on: source, 3, 2, 1) == [
        3, 7, 11, 15, 19, 23,
      ])
    #expect(
      lab.run(MPSNNReduceFeatureChannelsMax(device: device), on: source, 3, 2, 1) == [
        2, 4, 6, 8, 10, 12,
      ])
    let part = MPSNNReduceRowMean(device: device)
    part.clipRectSource = MTLRegionMake2D(1, 1, 2, 1)
    #expect(lab.run(part, on: source, 1, 1, 2) == [10, 11])
  }
}

private final class Statistics: NSObject, MPSCNNBatchNormalizationDataSource {
  private let numbers: [UnsafeMutablePointer<Float>]
  private let count: Int
  private(set) var calls: [String] = []

  init(gamma: [Float], beta: [Float], mean: [Float], variance: [Float]) {
    count = gamma.count
    numbers = [gamma, beta, mean, variance].map {
      let pointer = UnsafeMutablePointer<Float>.allocate(capacity: $0.count)
      pointer.initialize(from: $0, count: $0.count)
      return pointer
    }
  }

  required init?(coder aDecoder: NSCoder) { nil }

  deinit { for pointer in numbers { pointer.deallocate() } }

  func numberOfFeatureChannels() -> Int { count }
  func gamma() -> UnsafeMutablePointer<Float>? { numbers[0] }
  func beta() -> UnsafeMutablePointer<Float>? { numbers[1] }
  func mean() -> UnsafeMutablePointer<Float>? { numbers[2] }
  func variance() -> UnsafeMutablePointer<Float>? { numbers[3] }
  func load() -> Bool {
    calls.append("load")
    return true
  }
  func purge() { calls.append("purge") }
  func label() -> String? { nil }
  func epsilon() -> Float { 1 }
  func copy(with zone: NSZone? = nil) -> Any { self }
}
