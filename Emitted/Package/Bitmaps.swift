import CoreGraphics
import CoreVideo
import Metal

// Pictures of other frameworks.

extension NAME {
  /// Runs the network on a picture and waits.
  ///
  /// Its colours are taken to sRGB, where `netconv run` ignores colour profiles. It is seen as its pixels lie: the
  /// orientation of a photograph is not looked at.
  ///
  /// - Parameter region: what is seen of it, in pixels from its upper left corner; all if it is `nil`.
  /// - Returns: what `predict` gives for values.
  public func predict(_ image: CGImage, region: MTLRegion? = nil) throws -> Outputs {
    try predict(NAMEBitmaps.texture(of: image, on: readyPictures().context.device), region: region)
  }

  /// Runs the network on a picture of a camera, in the format 32BGRA, and waits.
  ///
  /// - Parameter region: what is seen of it, in pixels from its upper left corner; all if it is `nil`.
  /// - Returns: what `predict` gives for values.
  public func predict(_ pixelBuffer: CVPixelBuffer, region: MTLRegion? = nil) throws -> Outputs {
    try predict(
      NAMEBitmaps.texture(of: pixelBuffer, on: readyPictures().context.device), region: region)
  }
}

/// Textures from pictures of other frameworks.
public enum NAMEBitmaps {
  /// A picture in sRGB with straight alpha.
  public static func texture(of image: CGImage, on device: MTLDevice) throws -> MTLTexture {
    let (width, height) = (image.width, image.height)
    let texture = try empty(.rgba8Unorm, width, height, device)
    var pixels = [UInt8](repeating: 0, count: width * height * 4)
    try pixels.withUnsafeMutableBytes { bytes in
      guard let space = CGColorSpace(name: CGColorSpace.sRGB),
        let context = CGContext(
          data: bytes.baseAddress, width: width, height: height, bitsPerComponent: 8,
          bytesPerRow: width * 4, space: space,
          bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
      else { throw NAMEError("no bitmap of \(width) x \(height) pixels") }
      context.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
    }
    separateAlpha(&pixels)
    texture.replace(
      region: MTLRegionMake2D(0, 0, width, height), mipmapLevel: 0, withBytes: pixels,
      bytesPerRow: width * 4)
    return texture
  }

  /// A picture of a camera.
  public static func texture(
    of pixelBuffer: CVPixelBuffer, on device: MTLDevice
  ) throws -> MTLTexture {
    let format = CVPixelBufferGetPixelFormatType(pixelBuffer)
    guard format == kCVPixelFormatType_32BGRA else {
      throw NAMEError(
        "a pixel buffer has the format \(format); wanted is 32BGRA (\(kCVPixelFormatType_32BGRA))")
    }
    let (width, height) = (CVPixelBufferGetWidth(pixelBuffer), CVPixelBufferGetHeight(pixelBuffer))
    let texture = try empty(.bgra8Unorm, width, height, device)
    guard CVPixelBufferLockBaseAddress(pixelBuffer, .readOnly) == kCVReturnSuccess else {
      throw NAMEError("a pixel buffer cannot be read")
    }
    defer { _ = CVPixelBufferUnlockBaseAddress(pixelBuffer, .readOnly) }
    guard let pixels = CVPixelBufferGetBaseAddress(pixelBuffer) else {
      throw NAMEError("a pixel buffer has no memory that the CPU can read")
    }
    texture.replace(
      region: MTLRegionMake2D(0, 0, width, height), mipmapLevel: 0, withBytes: pixels,
      bytesPerRow: CVPixelBufferGetBytesPerRow(pixelBuffer))
    return texture
  }

  private static func empty(
    _ format: MTLPixelFormat, _ width: Int, _ height: Int, _ device: MTLDevice
  ) throws -> MTLTexture {
    let sides = 1...NAMEForm.largestSide
    guard sides.contains(width), sides.contains(height) else {
      throw NAMEError(
        "a picture has \(width) x \(height) pixels; a texture has 1 to \(sides.upperBound) a side")
    }
    let descriptor = MTLTextureDescriptor.texture2DDescriptor(
      pixelFormat: format, width: width, height: height, mipmapped: false)
    descriptor.usage = .shaderRead
    guard let texture = device.makeTexture(descriptor: descriptor) else {
      throw NAMEError("no memory for a texture of \(width) x \(height)")
    }
    return texture
  }

  /// Divides colours by their alpha, by which a bitmap has them multiplied.
  private static func separateAlpha(_ pixels: inout [UInt8]) {
    for first in stride(from: 0, to: pixels.count, by: 4) {
      let alpha = Int(pixels[first + 3])
      guard alpha > 0, alpha < 255 else { continue }
      for color in first..<first + 3 {
        pixels[color] = UInt8(min(255, (Int(pixels[color]) * 255 + alpha / 2) / alpha))
      }
    }
  }
}
