/// How an image is to be made.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsimagedescriptor
open class MPSImageDescriptor: NSObject, NSCopying {
  /// In pixels.
  open var width = 1
  /// In pixels.
  open var height = 1
  /// Numbers in a pixel.
  open var featureChannels = 1
  /// Images behind one another.
  open var numberOfImages = 1
  /// The type of the numbers.
  open var channelFormat = MPSImageFeatureChannelFormat.none
  /// As on macOS `managed` unless set; iOS has `shared`.
  open var storageMode = MTLStorageMode.managed
  /// Kernels read and write.
  open var usage: MTLTextureUsage = [.shaderRead, .shaderWrite]
  /// The format of the texture: one, two or four components.
  open var pixelFormat: MTLPixelFormat { channelFormat.pixelFormat(channels: featureChannels) }

  /// A single image.
  public convenience init(
    channelFormat: MPSImageFeatureChannelFormat, width: Int, height: Int, featureChannels: Int
  ) {
    self.init()
    self.channelFormat = channelFormat
    self.width = width
    self.height = height
    self.featureChannels = featureChannels
  }

  /// Several images.
  public convenience init(
    channelFormat: MPSImageFeatureChannelFormat, width: Int, height: Int, featureChannels: Int,
    numberOfImages: Int, usage: MTLTextureUsage
  ) {
    self.init(
      channelFormat: channelFormat, width: width, height: height, featureChannels: featureChannels)
    self.numberOfImages = numberOfImages
    self.usage = usage
  }

  /// A default descriptor, to be filled.
  public override init() { super.init() }

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = MPSImageDescriptor(
      channelFormat: channelFormat, width: width, height: height, featureChannels: featureChannels,
      numberOfImages: numberOfImages, usage: usage)
    copy.storageMode = storageMode
    return copy
  }
}
