import CoreGraphics
import Look
import Metal
import MetalKit

/// What the screen shows and changes: a picture, and the filters in front of the view that draws it.
public final class FilterEditor {
  /// The view that draws the result.
  public let view: MTKView
  /// The picture and its filters.
  public let look: Look
  private let drawing: LookDrawing

  /// An editor of a picture.
  ///
  /// - Throws: if there is no GPU, or the picture is too large for a texture.
  public init(_ image: CGImage) throws {
    guard let device = MTLCreateSystemDefaultDevice() else { throw FilterEditorError.noDevice }
    let context = try LookContext(device: device, storage: .halves)
    look = Look(try Self.texture(of: image, on: device), context: context)
    view = MTKView(frame: CGRect(x: 0, y: 0, width: 512, height: 512), device: device)
    drawing = try LookDrawing(provider: look.result, in: view, context: context)
    view.delegate = drawing
  }

  /// How colourful the picture is: 0 is gray, 1 as it was.
  public var saturation: Double {
    get { look.saturation.factor }
    set { look.saturation.factor = newValue }
  }

  /// The radius of the blur, in pixels.
  public var radius: Double {
    get { look.blur.radius }
    set { look.blur.radius = newValue }
  }

  /// How often saturation and blur have worked.
  public var evaluations: (saturation: Int, blur: Int) {
    (look.saturation.evaluations, look.blur.evaluations)
  }

  /// Puts another picture in front of the filters.
  public func show(_ image: CGImage) throws {
    look.source.texture = try Self.texture(of: image, on: look.source.context.device)
  }

  /// Why the last picture was not drawn, if it was not.
  public var error: (any Error)? { drawing.error }

  /// A texture in sRGB; what is transparent lies on black.
  private static func texture(of image: CGImage, on device: MTLDevice) throws -> MTLTexture {
    let (width, height) = (image.width, image.height)
    // A texture has no longer side on GPUs of the family Apple3, the oldest with iOS 16.
    guard 1...16384 ~= width, 1...16384 ~= height else {
      throw FilterEditorError.wrongSize(width, height)
    }
    let descriptor = MTLTextureDescriptor.texture2DDescriptor(
      pixelFormat: .rgba8Unorm, width: width, height: height, mipmapped: false)
    descriptor.usage = .shaderRead
    var pixels = [UInt8](repeating: 0, count: width * height * 4)
    try pixels.withUnsafeMutableBytes { bytes in
      guard let space = CGColorSpace(name: CGColorSpace.sRGB),
        let bitmap = CGContext(
          data: bytes.baseAddress, width: width, height: height, bitsPerComponent: 8,
          bytesPerRow: width * 4, space: space,
          bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
      else { throw FilterEditorError.wrongSize(width, height) }
      bitmap.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
    }
    for alpha in stride(from: 3, to: pixels.count, by: 4) { pixels[alpha] = 255 }
    guard let texture = device.makeTexture(descriptor: descriptor) else {
      throw FilterEditorError.wrongSize(width, height)
    }
    texture.replace(
      region: MTLRegionMake2D(0, 0, width, height), mipmapLevel: 0, withBytes: pixels,
      bytesPerRow: width * 4)
    return texture
  }
}

/// Why a picture cannot be edited.
public enum FilterEditorError: Error, CustomStringConvertible {
  /// The machine has no GPU that Metal knows.
  case noDevice
  /// A texture cannot have as many pixels.
  case wrongSize(Int, Int)

  /// For people.
  public var description: String {
    switch self {
    case .noDevice: "there is no GPU that Metal knows"
    case .wrongSize(let width, let height):
      "there is no texture of \(width) x \(height) pixels; a side has 1 to 16384"
    }
  }
}
