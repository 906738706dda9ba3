@_exported import Metal

/// Something to draw into, on the screen.
///
/// Of QuartzCore on Apple's systems, which MetalKit re-exports:
/// https://developer.apple.com/documentation/quartzcore/cametaldrawable
public protocol CAMetalDrawable: MTLDrawable {
  /// What is drawn into.
  var texture: any MTLTexture { get }
}

/// Draws into a view.
///
/// https://developer.apple.com/documentation/metalkit/mtkviewdelegate
public protocol MTKViewDelegate: NSObjectProtocol {
  /// The view is about to have another size, in pixels.
  func mtkView(_ view: MTKView, drawableSizeWillChange size: CGSize)
  /// The view is to be drawn.
  func draw(in view: MTKView)
}

/// A view that is drawn with Metal.
///
/// On Apple's systems it is an `NSView` or a `UIView`; here nobody sees it, and it has
/// nothing to draw into.
///
/// https://developer.apple.com/documentation/metalkit/mtkview
open class MTKView: NSObject {
  /// Who draws; not held.
  weak open var delegate: (any MTKViewDelegate)?
  /// What draws.
  open var device: (any MTLDevice)?
  /// The pixels that are drawn into.
  open var colorPixelFormat = MTLPixelFormat.bgra8Unorm
  /// In pixels.
  open var drawableSize = CGSize(width: 0, height: 0)
  /// What is drawn into next.
  open private(set) var currentDrawable: (any CAMetalDrawable)?
  /// A pass that draws into it.
  open private(set) var currentRenderPassDescriptor: MTLRenderPassDescriptor?

  /// A view of a size.
  public init(frame frameRect: CGRect, device: (any MTLDevice)?) {
    self.device = device
    drawableSize = frameRect.size
  }

  /// Has the delegate draw.
  open func draw() { delegate?.draw(in: self) }
}
