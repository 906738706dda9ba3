import MetalPerformanceShaders
import Testing

@Suite struct ImageTests {
  let lab = Lab()

  @Test func `channels lie in slices of four`() {
    // The documentation's own example: an image of 3 x 2 pixels with 9 channels.
    let image = lab.empty(3, 2, 9)
    #expect(image.texture.arrayLength == 3 && image.textureType == .type2DArray)
    #expect(image.texture.width == 3 && image.texture.height == 2)
    #expect(image.pixelFormat == .rgba32Float && image.pixelSize == 16)
    #expect(lab.empty(3, 2, 4).textureType == .type2D)
    #expect(lab.empty(3, 2, 1, .float16).pixelFormat == .r16Float)
    #expect(lab.empty(3, 2, 2, .unorm8).pixelFormat == .rg8Unorm)
    #expect(lab.empty(3, 2, 3, .float16).pixelFormat == .rgba16Float)
    #expect(lab.empty(2, 2, 9, images: 5).texture.arrayLength == 15)
  }

  @Test func `readBytes gives ten values for ten channels, the texture twelve`() {
    let image = lab.image((1...10).map(Float.init), 1, 1, 10)
    #expect(lab.numbers(image) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])

    var texels = [Float](repeating: -1, count: 12)
    for slice in 0..<image.texture.arrayLength {
      texels.withUnsafeMutableBytes {
        image.texture.getBytes(
          $0.baseAddress.unsafelyUnwrapped + slice * 16, bytesPerRow: 16,
          bytesPerImage: 16, from: MTLRegionMake2D(0, 0, 1, 1), mipmapLevel: 0, slice: slice)
      }
    }
    #expect(Array(texels[..<10]) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    #expect(texels.count == 12)
  }

  @Test func `a slice of a texture has four channels of each pixel`() {
    // 2 x 1 pixels with 6 channels: 1...6 and 7...12.
    let image = lab.image((1...12).map(Float.init), 2, 1, 6)
    var slice = [Float](repeating: -1, count: 8)
    image.texture.getBytes(
      &slice, bytesPerRow: 32, bytesPerImage: 32, from: MTLRegionMake2D(0, 0, 2, 1), mipmapLevel: 0,
      slice: 1)
    #expect(slice[0...1] == [5, 6] && slice[4...5] == [11, 12])
  }

  @Test func `a texture can be filled`() {
    let image = lab.empty(2, 1, 1)
    image.texture.replace(
      region: MTLRegionMake2D(1, 0, 1, 1), mipmapLevel: 0, withBytes: [Float(7)], bytesPerRow: 4)
    #expect(lab.numbers(image) == [0, 7])
  }

  @Test func `an image over a texture has its first channels`() throws {
    let descriptor = MTLTextureDescriptor.texture2DDescriptor(
      pixelFormat: .rgba16Float, width: 2, height: 1, mipmapped: false)
    let texture = try #require(lab.device.makeTexture(descriptor: descriptor))
    let image = MPSImage(texture: texture, featureChannels: 3)
    #expect(image.texture === texture && image.featureChannelFormat == .float16)
    texture.replace(
      region: MTLRegionMake2D(0, 0, 2, 1), mipmapLevel: 0,
      withBytes: [Float16(1), 2, 3, 4, 5, 6, 7, 8], bytesPerRow: 16)
    var halves = [Float16](repeating: 0, count: 6)
    image.readBytes(&halves, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: 0)
    #expect(halves == [1, 2, 3, 5, 6, 7])
  }

  @Test func `planes and pixels are two orders of the same numbers`() {
    // 2 x 1 pixels with 3 channels.
    let image = lab.empty(2, 1, 3)
    image.writeBytes(
      [Float(1), 2, 3, 4, 5, 6], dataLayout: .featureChannelsxHeightxWidth, imageIndex: 0)
    #expect(lab.numbers(image) == [1, 3, 5, 2, 4, 6])
    var planes = [Float](repeating: 0, count: 6)
    image.readBytes(&planes, dataLayout: .featureChannelsxHeightxWidth, imageIndex: 0)
    #expect(planes == [1, 2, 3, 4, 5, 6])
  }

  @Test func `a region with rows apart`() {
    // Of 3 x 2 pixels the two on the right, of 5 channels the last.
    let image = lab.image((1...30).map(Float.init), 3, 2, 5)
    var numbers = [Float](repeating: 0, count: 6)
    image.readBytes(
      &numbers, dataLayout: .HeightxWidthxFeatureChannels, bytesPerRow: 12,
      region: MTLRegionMake2D(1, 0, 2, 2),
      featureChannelInfo: MPSImageReadWriteParams(
        featureChannelOffset: 0, numberOfFeatureChannelsToReadWrite: 1), imageIndex: 0)
    #expect(numbers == [6, 11, 0, 21, 26, 0])
  }

  @Test func `halves round to even`() {
    // Between 2048 and 4096 halves are 2 apart; 65520 is half-way past the largest.
    let image = lab.empty(6, 1, 1, .float16)
    let copy = MPSCNNNeuron(
      device: lab.device, neuronDescriptor: .cnnNeuronDescriptor(with: .none))
    let source = lab.row([2049, 2051, 0.1, 65519, 65520, -1e-8])
    lab.run { copy.encode(commandBuffer: $0, sourceImage: source, destinationImage: image) }
    #expect(lab.numbers(image) == [2048, 2052, 0.0999755859375, 65504, .infinity, -0.0])
    #expect(image.precision == 11)
  }

  @Test func `bytes are steps of a 255th`() {
    let image = lab.empty(4, 1, 1, .unorm8)
    let copy = MPSCNNNeuron(
      device: lab.device, neuronDescriptor: .cnnNeuronDescriptor(with: .none))
    let source = lab.row([-1, 0.5, 0.2, 7])
    lab.run {
      copy.encode(commandBuffer: $0, sourceImage: source, destinationImage: image)
      image.synchronize(on: $0)
    }
    var bytes = [UInt8](repeating: 1, count: 4)
    image.readBytes(&bytes, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: 0)
    #expect(bytes == [0, 128, 51, 255])  // 127.5 is half-way and goes to even
  }

  @Test func `a managed image that the device wrote must be synchronised`() async {
    await #expect(processExitsWith: .failure) {
      let lab = Lab()
      let (source, result) = (lab.row([1]), lab.empty(1, 1, 1))
      let copy = MPSCNNNeuron(
        device: lab.device, neuronDescriptor: .cnnNeuronDescriptor(with: .none))
      lab.run { copy.encode(commandBuffer: $0, sourceImage: source, destinationImage: result) }
      var number: Float = 0
      result.readBytes(&number, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: 0)
    }
  }

  @Test func `a temporary image cannot be read by the CPU`() async {
    await #expect(processExitsWith: .failure) {
      let lab = Lab()
      let descriptor = MPSImageDescriptor(
        channelFormat: .float32, width: 1, height: 1, featureChannels: 1)
      lab.run {
        let image = MPSTemporaryImage(commandBuffer: $0, imageDescriptor: descriptor)
        var number: Float = 0
        image.readBytes(&number, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: 0)
      }
    }
  }

  @Test func `a temporary image is read as often as it says`() async {
    await #expect(processExitsWith: .failure) {
      let lab = Lab()
      let neuron = MPSCNNNeuron(
        device: lab.device, neuronDescriptor: .cnnNeuronDescriptor(with: .none))
      let source = lab.row([1])
      lab.run {
        let once = neuron.encode(commandBuffer: $0, sourceImage: source)
        _ = neuron.encode(commandBuffer: $0, sourceImage: once)
        _ = neuron.encode(commandBuffer: $0, sourceImage: once)
      }
    }
  }

  @Test func `a read count of two allows two readers`() {
    let neuron = MPSCNNNeuron(
      device: lab.device, neuronDescriptor: .cnnNeuronDescriptor(with: .linear, a: 2, b: 0))
    let sum = MPSCNNAdd(device: lab.device)
    sum.destinationImageAllocator = MPSImage.defaultAllocator()
    let source = lab.row([3])
    var result: MPSImage?
    lab.run {
      let doubled = neuron.encode(commandBuffer: $0, sourceImage: source)
      (doubled as? MPSTemporaryImage)?.readCount = 2
      let again = neuron.encode(commandBuffer: $0, sourceImage: doubled)
      result = sum.encode(commandBuffer: $0, primaryImage: doubled, secondaryImage: again)
    }
    #expect(result.map { lab.numbers($0) } == [18])
  }
}
