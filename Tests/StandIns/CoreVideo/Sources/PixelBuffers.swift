@_exported import Foundation

/// Four characters that name something.
///
/// Of the module Darwin on Apple's systems: https://developer.apple.com/documentation/kernel/ostype
public typealias OSType = UInt32

/// What a function says of its success.
///
/// https://developer.apple.com/documentation/corevideo/cvreturn
public typealias CVReturn = Int32

/// It has done what it should.
///
/// https://developer.apple.com/documentation/corevideo/kcvreturnsuccess
public let kCVReturnSuccess: CVReturn = 0

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Bytes of blue, green, red and alpha: `BGRA`.
///
/// https://developer.apple.com/documentation/corevideo/kcvpixelformattype_32bgra
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241

/// What the lock of a pixel buffer is for.
///
/// https://developer.apple.com/documentation/corevideo/cvpixelbufferlockflags
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt64

  /// Flags by their bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The CPU changes nothing.
  public static var readOnly: CVPixelBufferLockFlags { .init(rawValue: 1) }
}

/// Pixels in memory that a camera writes.
///
/// https://developer.apple.com/documentation/corevideo/cvbuffer
public class CVBuffer {
  let width: Int
  let height: Int
  let format: OSType
  let bytesPerRow: Int
  let bytes: UnsafeMutableRawPointer
  var locks = 0

  init(width: Int, height: Int, format: OSType) {
    (self.width, self.height, self.format) = (width, height, format)
    // Rows end with bytes of no pixel.
    bytesPerRow = width * 4 + 12
    bytes = .allocate(byteCount: bytesPerRow * height, alignment: 16)
    bytes.initializeMemory(as: UInt8.self, repeating: 0x5A, count: bytesPerRow * height)
  }

  deinit { bytes.deallocate() }
}

/// A buffer of an image.
///
/// https://developer.apple.com/documentation/corevideo/cvimagebuffer
public typealias CVImageBuffer = CVBuffer

/// A buffer of an image in memory.
///
/// https://developer.apple.com/documentation/corevideo/cvpixelbuffer
public typealias CVPixelBuffer = CVImageBuffer

/// Who allocates; here nobody is asked.
///
/// https://developer.apple.com/documentation/corefoundation/cfallocator
public class CFAllocator {}

/// Keys and values; here there are none.
///
/// https://developer.apple.com/documentation/corefoundation/cfdictionary
public class CFDictionary {}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A new buffer, with rows that end with bytes of no pixel.
///
/// https://developer.apple.com/documentation/corevideo/cvpixelbuffercreate(_:_:_:_:_:_:)
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = CVBuffer(width: width, height: height, format: pixelFormatType)
  return kCVReturnSuccess
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In pixels.
///
/// https://developer.apple.com/documentation/corevideo/cvpixelbuffergetwidth(_:)
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.width
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In pixels.
///
/// https://developer.apple.com/documentation/corevideo/cvpixelbuffergetheight(_:)
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.height
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What pixels are.
///
/// https://developer.apple.com/documentation/corevideo/cvpixelbuffergetpixelformattype(_:)
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.format
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// From one row to the next.
///
/// https://developer.apple.com/documentation/corevideo/cvpixelbuffergetbytesperrow(_:)
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.bytesPerRow
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The first byte, while the buffer is locked.
///
/// https://developer.apple.com/documentation/corevideo/cvpixelbuffergetbaseaddress(_:)
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  pixelBuffer.locks > 0 ? pixelBuffer.bytes : nil
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Lets the CPU at the bytes.
///
/// https://developer.apple.com/documentation/corevideo/cvpixelbufferlockbaseaddress(_:_:)
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.locks += 1
  return kCVReturnSuccess
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Ends that.
///
/// https://developer.apple.com/documentation/corevideo/cvpixelbufferunlockbaseaddress(_:_:)
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  precondition(pixelBuffer.locks > 0, "unlocked more often than locked")
  pixelBuffer.locks -= 1
  return kCVReturnSuccess
}
