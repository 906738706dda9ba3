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
  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any { MTLRenderPassDescriptor() }
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
/// Stand-ins have nothing to draw into, and so make none.
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

  init(_ descriptor: MTLRenderPipelineDescriptor, device: any MTLDevice) {
    precondition(
      descriptor.vertexFunction is StandInShader && descriptor.fragmentFunction is StandInShader,
      "a pipeline without functions for corners and pixels")
    precondition(
      descriptor.colorAttachments[0].pixelFormat != .invalid, "a pipeline that draws nowhere")
    self.device = device
  }
}
