/// A texture with any number of channels: slices of four, `(featureChannels + 3) / 4` for an image.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsimage
open class MPSImage: NSObject {
  /// A name for tools.
  open var label: String?
  /// Numbers in a pixel.
  public let featureChannels: Int
  /// The type of the numbers.
  public let featureChannelFormat: MPSImageFeatureChannelFormat
  package let storage: TexelStorage

  /// The device of the image.
  open var device: any MTLDevice { storage.device }
  /// In pixels.
  open var width: Int { storage.width }
  /// In pixels.
  open var height: Int { storage.height }
  /// Images behind one another.
  open var numberOfImages: Int { storage.images }
  /// One slice or several.
  open var textureType: MTLTextureType { storage.textureType }
  /// The format of the texture.
  open var pixelFormat: MTLPixelFormat { storage.pixelFormat }
  /// Bits of precision of a number: 8, 11 or 24.
  open var precision: Int {
    switch storage.pixelFormat.component {
    case .unorm8: 8
    case .float16: 11
    case .float32: 24
    }
  }
  /// What is done with the texture.
  open var usage: MTLTextureUsage { storage.usage }
  /// From one pixel to the next in a slice, in bytes.
  open var pixelSize: Int { storage.pixelFormat.components * storage.pixelFormat.component.size }
  /// The texture below.
  open var texture: any MTLTexture { storage }

  /// An empty image.
  public convenience init(device: any MTLDevice, imageDescriptor: MPSImageDescriptor) {
    self.init(
      device: device, descriptor: imageDescriptor, storageMode: imageDescriptor.storageMode)
  }

  /// An image over a texture, which is the same memory.
  ///
  /// Channels beyond `featureChannels` are not looked at: of RGBA, 3 are the colours.
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpsimage/init(texture:featurechannels:)
  public convenience init(texture: any MTLTexture, featureChannels: Int) {
    guard let storage = texture as? TexelStorage else {
      preconditionFailure("a texture that no stand-in made")
    }
    precondition(
      (1...4).contains(featureChannels) && featureChannels <= texture.pixelFormat.components
        && texture.textureType == .type2D,
      "\(featureChannels) channels in a texture of \(texture.pixelFormat)")
    self.init(storage, featureChannels: featureChannels)
  }

  private init(_ storage: TexelStorage, featureChannels: Int) {
    self.storage = storage
    self.featureChannels = featureChannels
    featureChannelFormat =
      switch storage.pixelFormat.component {
      case .unorm8: .unorm8
      case .float16: .float16
      case .float32: .float32
      }
  }

  init(device: any MTLDevice, descriptor: MPSImageDescriptor, storageMode: MTLStorageMode) {
    precondition(
      descriptor.channelFormat != .none, "MPSImage: the descriptor has no channel format")
    precondition(
      descriptor.width > 0 && descriptor.height > 0 && descriptor.featureChannels > 0
        && descriptor.numberOfImages > 0, "MPSImage: an empty image")
    featureChannels = descriptor.featureChannels
    featureChannelFormat = descriptor.channelFormat
    storage = TexelStorage(
      device: device, storageMode: storageMode, pixelFormat: descriptor.pixelFormat,
      usage: descriptor.usage, width: descriptor.width, height: descriptor.height,
      images: descriptor.numberOfImages, slicesPerImage: (descriptor.featureChannels + 3) / 4)
  }

  /// Makes images that outlive the command buffer.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpsimage/defaultallocator()
  open class func defaultAllocator() -> any MPSImageAllocator { ImageAllocator() }

  /// Makes what the device wrote visible to the CPU; a managed image needs it.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpsimage/synchronize(on:)
  open func synchronize(on commandBuffer: any MTLCommandBuffer) {
    commandBuffer.encode { [storage] in storage.isSynchronized = true }
  }

  /// A kernel is encoded that reads this image.
  func willBeRead() {}
}

/// An image that lives in one command buffer and that only kernels read and write.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpstemporaryimage
open class MPSTemporaryImage: MPSImage {
  /// How many kernels will still read it; 1 to begin with, and each that is encoded takes one.
  open var readCount = 1

  /// An empty temporary image.
  public convenience init(
    commandBuffer: any MTLCommandBuffer, imageDescriptor: MPSImageDescriptor
  ) {
    self.init(device: commandBuffer.device, descriptor: imageDescriptor, storageMode: .private)
  }

  /// Says which images there will be, so that memory for them can be there before.
  ///
  /// Here it only says so itself, for tests.
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpstemporaryimage/prefetchstorage(with:imagedescriptorlist:)
  open class func prefetchStorage(
    with commandBuffer: any MTLCommandBuffer,
    imageDescriptorList descriptorList: [MPSImageDescriptor]
  ) {
    StandInTrace.write("prefetched \(descriptorList.count)")
  }

  /// Makes temporary images.
  open override class func defaultAllocator() -> any MPSImageAllocator {
    TemporaryImageAllocator()
  }

  override func willBeRead() {
    precondition(readCount > 0, "a temporary image is read more often than its readCount allows")
    readCount -= 1
  }
}

/// Makes the images that kernels return.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsimageallocator
public protocol MPSImageAllocator: NSSecureCoding, NSObjectProtocol {
  /// An image for a kernel's result.
  func image(
    for cmdBuf: any MTLCommandBuffer, imageDescriptor descriptor: MPSImageDescriptor,
    kernel: MPSKernel
  ) -> MPSImage
}

final class ImageAllocator: NSObject, MPSImageAllocator {
  static var supportsSecureCoding: Bool { true }

  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) {}

  func image(
    for cmdBuf: any MTLCommandBuffer, imageDescriptor descriptor: MPSImageDescriptor,
    kernel: MPSKernel
  ) -> MPSImage { MPSImage(device: cmdBuf.device, imageDescriptor: descriptor) }
}

final class TemporaryImageAllocator: NSObject, MPSImageAllocator {
  static var supportsSecureCoding: Bool { true }

  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) {}

  func image(
    for cmdBuf: any MTLCommandBuffer, imageDescriptor descriptor: MPSImageDescriptor,
    kernel: MPSKernel
  ) -> MPSImage { MPSTemporaryImage(commandBuffer: cmdBuf, imageDescriptor: descriptor) }
}
