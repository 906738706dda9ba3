@_exported import Foundation

/// A text of Core Foundation; here the names of colour spaces alone.
///
/// https://developer.apple.com/documentation/corefoundation/cfstring
public class CFString: @unchecked Sendable {
  let text: String

  init(_ text: String) { self.text = text }
}

/// What the numbers of a colour mean.
///
/// https://developer.apple.com/documentation/coregraphics/cgcolorspace
public class CGColorSpace {
  /// The name of sRGB.
  public static let sRGB = CFString("kCGColorSpaceSRGB")

  /// The space of a name; here of sRGB alone.
  public init?(name: CFString) {
    guard name === Self.sRGB else { return nil }
  }
}

/// Where alpha is, and whether colours are multiplied by it.
///
/// https://developer.apple.com/documentation/coregraphics/cgimagealphainfo
public enum CGImageAlphaInfo: UInt32, Sendable {
  /// Behind the colours, which are multiplied by it.
  case premultipliedLast = 1
}

/// A picture that does not change.
///
/// https://developer.apple.com/documentation/coregraphics/cgimage
public class CGImage {
  /// In pixels.
  public let width: Int
  /// In pixels.
  public let height: Int
  /// Red, green, blue and alpha, with colours multiplied by alpha.
  let bytes: [UInt8]

  init(width: Int, height: Int, bytes: [UInt8]) {
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }
}

/// Somewhere to draw; here bytes of red, green, blue and alpha.
///
/// https://developer.apple.com/documentation/coregraphics/cgcontext
public class CGContext {
  private let data: UnsafeMutableRawPointer
  private let width: Int
  private let height: Int
  private let bytesPerRow: Int

  /// A bitmap in the caller's memory.
  ///
  /// https://developer.apple.com/documentation/coregraphics/cgcontext/init(data:width:height:bitspercomponent:bytesperrow:space:bitmapinfo:)
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
  ) {
    guard let data, width > 0, height > 0, bitsPerComponent == 8, bytesPerRow >= width * 4,
      bitmapInfo == CGImageAlphaInfo.premultipliedLast.rawValue
    else { return nil }
    (self.data, self.width, self.height) = (data, width, height)
    self.bytesPerRow = bytesPerRow
  }

  /// Draws a picture upon what is there; here as large as the bitmap alone.
  ///
  /// https://developer.apple.com/documentation/coregraphics/cgcontext/draw(_:in:bytiling:)
  public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {
    precondition(
      rect == CGRect(x: 0, y: 0, width: width, height: height) && image.width == width
        && image.height == height && !byTiling, "a stand-in draws pictures in their own size")
    for y in 0..<height {
      for x in 0..<width {
        let pixel = data + y * bytesPerRow + x * 4
        let alpha = Int(image.bytes[(y * width + x) * 4 + 3])
        for channel in 0..<4 {
          let under = Int(pixel.load(fromByteOffset: channel, as: UInt8.self))
          let over = Int(image.bytes[(y * width + x) * 4 + channel])
          let sum = min(255, over + (under * (255 - alpha) + 127) / 255)
          pixel.storeBytes(of: UInt8(sum), toByteOffset: channel, as: UInt8.self)
        }
      }
    }
  }

  /// What has been drawn.
  ///
  /// https://developer.apple.com/documentation/coregraphics/cgcontext/makeimage()
  public func makeImage() -> CGImage? {
    let bytes = (0..<height).flatMap { y in
      [UInt8](UnsafeRawBufferPointer(start: data + y * bytesPerRow, count: width * 4))
    }
    return CGImage(width: width, height: height, bytes: bytes)
  }
}
