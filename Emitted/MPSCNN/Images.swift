import MetalPerformanceShaders

/// The images of one run of the network.
///
/// Nothing is inlined here: of a large network that would take the compiler minutes.
struct NAMEImages {
  let commandBuffer: MTLCommandBuffer
  /// Where images are kept that somebody wants to look at.
  let activations: NAMEActivations?

  /// The image that a layer writes.
  ///
  /// - Parameter reads: how many kernels read it; after the last, its memory is used for other images.
  @inline(never)
  func make(
    _ layer: String, height: Int, width: Int, channels: Int, reads: Int = 1
  ) -> MPSImage {
    let descriptor = MPSImageDescriptor(
      channelFormat: NAME.format, width: width, height: height, featureChannels: channels)
    if let activations {
      let image = MPSImage(device: commandBuffer.device, imageDescriptor: descriptor)
      activations.images.append((layer, image))
      return image
    }
    let image = MPSTemporaryImage(commandBuffer: commandBuffer, imageDescriptor: descriptor)
    image.readCount = reads
    return image
  }

  /// The image of a layer that is read by the CPU, which a temporary image cannot be.
  @inline(never)
  func makeOutput(_ layer: String, height: Int, width: Int, channels: Int) -> MPSImage {
    let image = MPSImage(
      device: commandBuffer.device,
      imageDescriptor: MPSImageDescriptor(
        channelFormat: NAME.format, width: width, height: height, featureChannels: channels))
    activations?.images.append((layer, image))
    return image
  }

  #if parts
  /// The image of a part of a layer.
  ///
  /// - Parameters:
  ///   - format: floats, so that values are rounded once, when the layer is complete.
  ///   - reads: how many kernels read it.
  @inline(never)
  func makePart(
    height: Int, width: Int, channels: Int, format: MPSImageFeatureChannelFormat = .float32,
    reads: Int = 1
  ) -> MPSImage {
    let image = MPSTemporaryImage(
      commandBuffer: commandBuffer,
      imageDescriptor: MPSImageDescriptor(
        channelFormat: format, width: width, height: height, featureChannels: channels))
    image.readCount = reads
    return image
  }
  #endif
}

/// What each layer gave, for tests: hand it to `NAME.predict`, then read.
public final class NAMEActivations {
  var images: [(layer: String, image: MPSImage)] = []

  /// Without images; a run gives them.
  public init() {}

  /// The layers that write an image; others are a part of the next of these.
  public var layers: [String] { images.map(\.layer) }

  /// What a layer gave: row after row, all channels of a pixel together.
  public func values(of layer: String) -> [Float]? {
    images.last { $0.layer == layer }.map { NAMEPixels.read($0.image) }
  }
}
