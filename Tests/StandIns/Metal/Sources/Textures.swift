/// The type of a pixel's components and their number.
///
/// Those that an `MPSImage` has, one, two or four components of a format, and the one of screens.
/// https://developer.apple.com/documentation/metal/mtlpixelformat
public enum MTLPixelFormat: UInt, Sendable {
  /// None.
  case invalid = 0
  /// A byte, 0 to 1.
  case r8Unorm = 10
  /// Two bytes, 0 to 1.
  case rg8Unorm = 30
  /// Four bytes, 0 to 1.
  case rgba8Unorm = 70
  /// Four bytes, 0 to 1, blue first.
  case bgra8Unorm = 80
  /// A half.
  case r16Float = 25
  /// Two halves.
  case rg16Float = 65
  /// Four halves.
  case rgba16Float = 115
  /// A float.
  case r32Float = 55
  /// Two floats.
  case rg32Float = 105
  /// Four floats.
  case rgba32Float = 125

  package var components: Int {
    switch self {
    case .invalid: 0
    case .r8Unorm, .r16Float, .r32Float: 1
    case .rg8Unorm, .rg16Float, .rg32Float: 2
    case .rgba8Unorm, .bgra8Unorm, .rgba16Float, .rgba32Float: 4
    }
  }

  package var component: Component {
    switch self {
    case .invalid, .r32Float, .rg32Float, .rgba32Float: .float32
    case .r8Unorm, .rg8Unorm, .rgba8Unorm, .bgra8Unorm: .unorm8
    case .r16Float, .rg16Float, .rgba16Float: .float16
    }
  }
}

/// One image, or several behind one another.
///
/// https://developer.apple.com/documentation/metal/mtltexturetype
public enum MTLTextureType: UInt, Sendable {
  /// One slice.
  case type2D = 2
  /// Several slices.
  case type2DArray = 3
}

/// What is done with a texture.
///
/// https://developer.apple.com/documentation/metal/mtltextureusage
public struct MTLTextureUsage: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// A usage by its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Not known.
  public static var unknown: MTLTextureUsage { [] }
  /// Kernels read it.
  public static var shaderRead: MTLTextureUsage { .init(rawValue: 1) }
  /// Kernels write it.
  public static var shaderWrite: MTLTextureUsage { .init(rawValue: 2) }
}

/// How a texture is to be made.
///
/// https://developer.apple.com/documentation/metal/mtltexturedescriptor
open class MTLTextureDescriptor: NSObject, NSCopying {
  /// A pixel's components.
  open var pixelFormat = MTLPixelFormat.rgba8Unorm
  /// In pixels.
  open var width = 1
  /// In pixels.
  open var height = 1
  /// Where the texture lies.
  open var storageMode = MTLStorageMode.shared
  /// What is done with it.
  open var usage = MTLTextureUsage.shaderRead

  /// One slice of pixels.
  ///
  /// https://developer.apple.com/documentation/metal/mtltexturedescriptor/texture2ddescriptor(pixelformat:width:height:mipmapped:)
  open class func texture2DDescriptor(
    pixelFormat: MTLPixelFormat, width: Int, height: Int, mipmapped: Bool
  ) -> MTLTextureDescriptor {
    precondition(!mipmapped, "a stand-in's texture has one level")
    let descriptor = MTLTextureDescriptor()
    descriptor.pixelFormat = pixelFormat
    descriptor.width = width
    descriptor.height = height
    return descriptor
  }

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = MTLTextureDescriptor.texture2DDescriptor(
      pixelFormat: pixelFormat, width: width, height: height, mipmapped: false)
    copy.storageMode = storageMode
    copy.usage = usage
    return copy
  }
}

/// Pixels in slices of up to four components.
///
/// https://developer.apple.com/documentation/metal/mtltexture
public protocol MTLTexture: MTLResource {
  /// One slice or several.
  var textureType: MTLTextureType { get }
  /// A pixel's components.
  var pixelFormat: MTLPixelFormat { get }
  /// In pixels.
  var width: Int { get }
  /// In pixels.
  var height: Int { get }
  /// Slices.
  var arrayLength: Int { get }
  /// What is done with it.
  var usage: MTLTextureUsage { get }

  /// Copies a region of a slice out, pixel by pixel: all components of the pixel format, used or not.
  ///
  /// https://developer.apple.com/documentation/metal/mtltexture/getbytes(_:bytesperrow:bytesperimage:from:mipmaplevel:slice:)
  func getBytes(
    _ pixelBytes: UnsafeMutableRawPointer, bytesPerRow: Int, bytesPerImage: Int,
    from region: MTLRegion, mipmapLevel level: Int, slice: Int)

  /// Copies a region of slice 0 out.
  ///
  /// https://developer.apple.com/documentation/metal/mtltexture/getbytes(_:bytesperrow:from:mipmaplevel:)
  func getBytes(
    _ pixelBytes: UnsafeMutableRawPointer, bytesPerRow: Int, from region: MTLRegion,
    mipmapLevel level: Int)

  /// Copies pixels into a region of a slice.
  ///
  /// https://developer.apple.com/documentation/metal/mtltexture/replace(region:mipmaplevel:slice:withbytes:bytesperrow:bytesperimage:)
  func replace(
    region: MTLRegion, mipmapLevel level: Int, slice: Int, withBytes pixelBytes: UnsafeRawPointer,
    bytesPerRow: Int, bytesPerImage: Int)

  /// Copies pixels into a region of slice 0.
  ///
  /// https://developer.apple.com/documentation/metal/mtltexture/replace(region:mipmaplevel:withbytes:bytesperrow:)
  func replace(
    region: MTLRegion, mipmapLevel level: Int, withBytes pixelBytes: UnsafeRawPointer,
    bytesPerRow: Int)
}
