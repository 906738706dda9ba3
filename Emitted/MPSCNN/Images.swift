import MetalPerformanceShaders

/// The images of one run of the network.
///
/// Nothing is inlined here: of a large network that would take the compiler minutes.
struct NAMEImages {
  let commandBuffer: MTLCommandBuffer
  /// Where images are kept that somebody wants to look at.
  let activations: NAMEActivations?
  private let storage: NAMEStorage

  /// Says which images are going to be made in the command buffer, as far as an earlier run has shown it.
  init(commandBuffer: MTLCommandBuffer, activations: NAMEActivations?, storage: NAMEStorage) {
    (self.commandBuffer, self.activations, self.storage) = (commandBuffer, activations, storage)
    guard activations == nil, !storage.descriptors.isEmpty else { return }
    storage.isComplete = true
    MPSTemporaryImage.prefetchStorage(
      with: commandBuffer, imageDescriptorList: storage.descriptors)
  }

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
    return makeTemporary(descriptor, reads)
  }

  private func makeTemporary(_ descriptor: MPSImageDescriptor, _ reads: Int) -> MPSImage {
    if activations == nil, !storage.isComplete { storage.descriptors.append(descriptor) }
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

  #if slices
  /// Says, for tests, which channels of another layer's image are a layer's.
  @inline(never)
  func keep(_ layer: String, in image: MPSImage, channels: Range<Int>) {
    activations?.images.append((layer, image))
    activations?.channels[layer] = channels
  }
  #endif

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
    makeTemporary(
      MPSImageDescriptor(
        channelFormat: format, width: width, height: height, featureChannels: channels), reads)
  }
  #endif
}

/// The temporary images of a run, which the first one finds.
final class NAMEStorage {
  fileprivate var descriptors: [MPSImageDescriptor] = []
  /// Whether a run has made all of them.
  fileprivate var isComplete = false
}

/// What each layer gave, for tests: hand it to `NAME.predict`, then read.
public final class NAMEActivations {
  var images: [(layer: String, image: MPSImage)] = []
  #if slices
  /// The channels of layers that write into the images of others.
  var channels: [String: Range<Int>] = [:]
  #endif

  /// Without images; a run gives them.
  public init() {}

  /// The layers that write an image; others are a part of the next of these.
  public var layers: [String] { images.map(\.layer) }

  #if slices
  /// What a layer gave: row after row, all channels of a pixel together.
  public func values(of layer: String) -> [Float]? {
    guard let image = images.last(where: { $0.layer == layer })?.image else { return nil }
    let values = NAMEPixels.read(image)
    guard let channels = channels[layer] else { return values }
    return stride(from: 0, to: values.count, by: image.featureChannels).flatMap { pixel in
      values[pixel + channels.lowerBound..<pixel + channels.upperBound]
    }
  }
  #else
  /// What a layer gave: row after row, all channels of a pixel together.
  public func values(of layer: String) -> [Float]? {
    images.last { $0.layer == layer }.map { NAMEPixels.read($0.image) }
  }
  #endif
}
