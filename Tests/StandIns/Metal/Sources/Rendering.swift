/// What is drawn of corners.
///
/// https://developer.apple.com/documentation/metal/mtlprimitivetype
public enum MTLPrimitiveType: UInt, Sendable {
  /// Triangles, each with two corners of the one before.
  case triangleStrip = 4
}

/// What a pipeline knows of a texture that it draws into.
///
/// https://developer.apple.com/documentation/metal/mtlrenderpipelinecolorattachmentdescriptor
open class MTLRenderPipelineColorAttachmentDescriptor: NSObject, NSCopying {
  /// Its pixels.
  open var pixelFormat = MTLPixelFormat.invalid

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = MTLRenderPipelineColorAttachmentDescriptor()
    copy.pixelFormat = pixelFormat
    return copy
  }
}

/// The textures that a pipeline draws into.
///
/// https://developer.apple.com/documentation/metal/mtlrenderpipelinecolorattachmentdescriptorarray
open class MTLRenderPipelineColorAttachmentDescriptorArray: NSObject {
  private var attachments = (0..<8).map { _ in MTLRenderPipelineColorAttachmentDescriptor() }

  /// The texture at a place.
  open subscript(attachmentIndex: Int) -> MTLRenderPipelineColorAttachmentDescriptor! {
    get { attachments[attachmentIndex] }
    set { attachments[attachmentIndex] = newValue ?? MTLRenderPipelineColorAttachmentDescriptor() }
  }
}

/// How something is drawn.
///
/// https://developer.apple.com/documentation/metal/mtlrenderpipelinedescriptor
open class MTLRenderPipelineDescriptor: NSObject, NSCopying {
  /// Makes corners.
  open var vertexFunction: (any MTLFunction)?
  /// Makes pixels.
  open var fragmentFunction: (any MTLFunction)?
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// What is drawn into.
  open private(set) var colorAttachments: MTLRenderPipelineColorAttachmentDescriptorArray! =
    MTLRenderPipelineColorAttachmentDescriptorArray()

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = MTLRenderPipelineDescriptor()
    copy.vertexFunction = vertexFunction
    copy.fragmentFunction = fragmentFunction
    for index in 0..<8 { copy.colorAttachments[index] = colorAttachments[index] }
    return copy
  }
}

/// What a pass of drawing draws into.
///
/// https://developer.apple.com/documentation/metal/mtlrenderpassdescriptor
open class MTLRenderPassDescriptor: NSObject, NSCopying {
  /// The texture of a view, which is black when the pass begins.
  package var target: TexelStorage?

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = MTLRenderPassDescriptor()
    copy.target = target
    return copy
  }
}

/// How something is drawn, ready for the device.
///
/// https://developer.apple.com/documentation/metal/mtlrenderpipelinestate
public protocol MTLRenderPipelineState: NSObjectProtocol {
  /// The device that it is for.
  var device: any MTLDevice { get }
}

/// Writes drawings into a command buffer.
///
/// https://developer.apple.com/documentation/metal/mtlrendercommandencoder
public protocol MTLRenderCommandEncoder: MTLCommandEncoder {
  /// How it is drawn.
  func setRenderPipelineState(_ pipelineState: any MTLRenderPipelineState)
  /// What the function for corners has as `[[buffer(index)]]`.
  func setVertexBytes(_ bytes: UnsafeRawPointer, length: Int, index: Int)
  /// What the function for pixels has as `[[texture(index)]]`.
  func setFragmentTexture(_ texture: (any MTLTexture)?, index: Int)
  /// Draws.
  func drawPrimitives(type primitiveType: MTLPrimitiveType, vertexStart: Int, vertexCount: Int)
}

/// Something that is shown when a command buffer has run.
///
/// https://developer.apple.com/documentation/metal/mtldrawable
public protocol MTLDrawable: NSObjectProtocol {
  /// Shows it.
  func present()
}

final class StandInRenderPipelineState: NSObject, MTLRenderPipelineState {
  let device: any MTLDevice
  /// Makes corners.
  let corners: StandInFunction
  /// Makes pixels.
  let pixels: StandInFunction
  /// What is drawn into.
  let pixelFormat: MTLPixelFormat

  init(_ descriptor: MTLRenderPipelineDescriptor, device: any MTLDevice) {
    guard let corners = descriptor.vertexFunction as? StandInFunction,
      let pixels = descriptor.fragmentFunction as? StandInFunction,
      corners.signature.stage == .vertex, pixels.signature.stage == .fragment
    else { preconditionFailure("a pipeline without functions for corners and pixels") }
    pixelFormat = descriptor.colorAttachments[0].pixelFormat
    precondition(pixelFormat.components == 4, "a pipeline that draws nowhere, or not into colours")
    self.corners = corners
    self.pixels = pixels
    self.device = device
  }
}
