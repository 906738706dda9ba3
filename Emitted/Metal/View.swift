import Metal
import MetalKit

/// How a picture lies in a view of another shape.
public enum NAMEPlacement: Equatable {
  /// All of it is seen, with black around it.
  case fit
  /// It covers the view, and what is beyond is cut off.
  case fill
  /// It has the shape of the view.
  case stretch

  /// The corners of a quad as a strip of triangles: x and y on the screen, from -1 to 1 and from below, and the place in
  /// the picture, from 0 to 1 and from above.
  public func corners(
    width: Double, height: Double, viewWidth: Double, viewHeight: Double
  ) -> [Float] {
    let (across, down) = (viewWidth / width, viewHeight / height)
    let factor = self == .fill ? max(across, down) : min(across, down)
    // How much of the view the picture has, or would have.
    let (x, y) =
      self == .stretch ? (1, 1) : (factor * width / viewWidth, factor * height / viewHeight)
    let (right, top) = (min(x, 1), min(y, 1))
    let (left, above) = ((1 - right / x) / 2, (1 - top / y) / 2)
    return [
      [-right, -top, left, 1 - above], [right, -top, 1 - left, 1 - above],
      [-right, top, left, above], [right, top, 1 - left, above],
    ].joined().map { Float($0) }
  }
}

/// Draws the picture of its provider in a view, in the command buffer that makes it.
///
/// It is the delegate of a view: `view.delegate = drawing`. The view holds it weakly.
public final class NAMEDrawing: NSObject, MTKViewDelegate, NAMETextureConsumer {
  /// Whom it asks.
  public var provider: (any NAMETextureProvider)? { didSet { output.provider = provider } }
  /// How the picture lies in the view.
  public var placement = NAMEPlacement.fit
  /// Why the last picture could not be drawn, if it could not.
  public private(set) var error: (any Error)?

  private let context: NAMEContext
  // Not every device can draw textures of floats between their pixels.
  private let output: NAMEOutput
  private let pipeline: MTLRenderPipelineState

  /// A delegate for `view`, which gets the device of the context.
  public init(
    provider: (any NAMETextureProvider)? = nil, in view: MTKView, context: NAMEContext
  ) throws {
    self.provider = provider
    self.context = context
    output = NAMEOutput(.rgba16Float, provider: provider, context: context)
    view.device = context.device
    view.colorPixelFormat = .bgra8Unorm
    pipeline = try context.quadPipeline(.bgra8Unorm)
  }

  /// Nothing is made for a size of the view.
  public func mtkView(_ view: MTKView, drawableSizeWillChange size: CGSize) {}

  /// Draws the picture as it is now; what has not changed is not made again.
  public func draw(in view: MTKView) {
    do {
      try encode(in: view)
      error = nil
    } catch {
      self.error = error
    }
  }

  private func encode(in view: MTKView) throws {
    guard let drawable = view.currentDrawable, let pass = view.currentRenderPassDescriptor else {
      throw NAMEError("the view has nothing to draw into")
    }
    guard let commandBuffer = context.queue.makeCommandBuffer() else {
      throw NAMEError("no command buffer")
    }
    let texture = try output.texture(in: commandBuffer)
    let size = view.drawableSize
    let corners = placement.corners(
      width: Double(texture.width), height: Double(texture.height),
      viewWidth: Double(size.width), viewHeight: Double(size.height))
    guard let encoder = commandBuffer.makeRenderCommandEncoder(descriptor: pass) else {
      throw NAMEError("no encoder for the view")
    }
    encoder.setRenderPipelineState(pipeline)
    encoder.setVertexBytes(
      corners, length: corners.count * MemoryLayout<Float>.size, index: 0)
    encoder.setFragmentTexture(texture, index: 0)
    encoder.drawPrimitives(type: .triangleStrip, vertexStart: 0, vertexCount: 4)
    encoder.endEncoding()
    commandBuffer.present(drawable)
    commandBuffer.commit()
  }
}
