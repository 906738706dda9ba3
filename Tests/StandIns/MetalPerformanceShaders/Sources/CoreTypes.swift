@_exported import Metal

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether the framework has kernels for a device: for each that there is, unless a test asks for none.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpssupportsmtldevice(_:)
public func MPSSupportsMTLDevice(_ device: (any MTLDevice)?) -> Bool {
  device != nil && !StandInTrace.hasNoKernels
}

/// The type of numbers.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsdatatype
public enum MPSDataType: UInt32, Sendable {
  /// None.
  case invalid = 0
  /// IEEE 754 binary32.
  case float32 = 0x1000_0020
  /// IEEE 754 binary16.
  case float16 = 0x1000_0010
  /// Signed, 32 bits.
  case int32 = 0x2000_0020
  /// Unsigned, 8 bits.
  case uInt8 = 8

  /// In bytes.
  package var size: Int {
    switch self {
    case .invalid: 0
    case .float32, .int32: 4
    case .float16: 2
    case .uInt8: 1
    }
  }
}

/// The type of the numbers in an image.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsimagefeaturechannelformat
public enum MPSImageFeatureChannelFormat: UInt, Sendable {
  /// None.
  case none = 0
  /// A byte, 0 to 1.
  case unorm8 = 1
  /// IEEE 754 binary16.
  case float16 = 3
  /// IEEE 754 binary32.
  case float32 = 4

  func pixelFormat(channels: Int) -> MTLPixelFormat {
    switch (self, min(channels, 3)) {
    case (.none, _): .invalid
    case (.unorm8, 1): .r8Unorm
    case (.unorm8, 2): .rg8Unorm
    case (.unorm8, _): .rgba8Unorm
    case (.float16, 1): .r16Float
    case (.float16, 2): .rg16Float
    case (.float16, _): .rgba16Float
    case (.float32, 1): .r32Float
    case (.float32, 2): .rg32Float
    case (.float32, _): .rgba32Float
    }
  }
}

/// What a kernel reads outside of the source.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsimageedgemode
public enum MPSImageEdgeMode: UInt, Sendable {
  /// Zeros.
  case zero = 0
  /// The nearest pixel of the image. An average pooling leaves out what lies outside.
  case clamp = 1
}

/// The order of numbers outside of an image.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsdatalayout
public enum MPSDataLayout: UInt, Sendable {
  /// All channels of a pixel together.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case HeightxWidthxFeatureChannels = 0
  /// One plane after another.
  case featureChannelsxHeightxWidth = 1
}

/// Signed coordinates, in pixels.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsoffset
public struct MPSOffset: Sendable {
  /// To the right.
  public var x: Int
  /// Down.
  public var y: Int
  /// Images.
  public var z: Int

  /// All zero.
  public init() { self.init(x: 0, y: 0, z: 0) }

  /// An offset.
  public init(x: Int, y: Int, z: Int) {
    self.x = x
    self.y = y
    self.z = z
  }
}

/// A place in an image, or sizes of one.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsimagecoordinate
public struct MPSImageCoordinate: Sendable {
  /// Columns.
  public var x: Int
  /// Rows.
  public var y: Int
  /// Channels.
  public var channel: Int

  /// All zero.
  public init() { self.init(x: 0, y: 0, channel: 0) }

  /// A place.
  public init(x: Int, y: Int, channel: Int) {
    self.x = x
    self.y = y
    self.channel = channel
  }
}

/// The channels that `readBytes` and `writeBytes` of a region move.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsimagereadwriteparams
public struct MPSImageReadWriteParams: Sendable {
  /// The first channel, a multiple of 4.
  public var featureChannelOffset: Int
  /// How many; a multiple of 4 unless the first is 0.
  public var numberOfFeatureChannelsToReadWrite: Int

  /// All zero.
  public init() { self.init(featureChannelOffset: 0, numberOfFeatureChannelsToReadWrite: 0) }

  /// Channels.
  public init(featureChannelOffset: Int, numberOfFeatureChannelsToReadWrite: Int) {
    self.featureChannelOffset = featureChannelOffset
    self.numberOfFeatureChannelsToReadWrite = numberOfFeatureChannelsToReadWrite
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A clip rectangle that clips nothing.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsrectnoclip
public let MPSRectNoClip = MTLRegionMake3D(0, 0, 0, .max, .max, .max)
