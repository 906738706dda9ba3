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
/// On Apple's systems it is an `NSView` or a `UIView`. Here nobody sees it: it has something to draw into while
/// `NETCONV_DRAWN` names a file, to which pictures are appended that are shown.
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
  private var drawable: StandInDrawable?

  /// What is drawn into next.
  open var currentDrawable: (any CAMetalDrawable)? {
    drawable = drawable ?? StandInDrawable(self)
    return drawable
  }

  /// A pass that draws into it, which makes it black first.
  open var currentRenderPassDescriptor: MTLRenderPassDescriptor? {
    guard currentDrawable != nil else { return nil }
    let descriptor = MTLRenderPassDescriptor()
    descriptor.target = drawable?.storage
    return descriptor
  }

  /// A view of a size.
  public init(frame frameRect: CGRect, device: (any MTLDevice)?) {
    self.device = device
    drawableSize = frameRect.size
  }

  /// Has the delegate draw.
  open func draw() {
    delegate?.draw(in: self)
    drawable = nil
  }
}

/// A texture of a view.
private final class StandInDrawable: NSObject, CAMetalDrawable {
  let storage: TexelStorage
  private let file: String

  var texture: any MTLTexture { storage }

  init?(_ view: MTKView) {
    guard let file = ProcessInfo.processInfo.environment["NETCONV_DRAWN"], let device = view.device
    else { return nil }
    self.file = file
    storage = TexelStorage(
      device: device, storageMode: .private, pixelFormat: view.colorPixelFormat, usage: .unknown,
      width: Int(view.drawableSize.width), height: Int(view.drawableSize.height), images: 1,
      slicesPerImage: 1)
  }

  /// Width and height as integers of 32 bits, and bytes of pixels as the format has them.
  func present() {
    precondition(storage.pixelFormat.component == .unorm8, "a screen of other pixels than bytes")
    var bytes: [UInt8] = []
    for number in [storage.width, storage.height] {
      withUnsafeBytes(of: UInt32(number).littleEndian) { bytes += $0 }
    }
    bytes += storage.texels.map { UInt8(($0 * 255).rounded()) }
    if !FileManager.default.fileExists(atPath: file) {
      _ = FileManager.default.createFile(atPath: file, contents: nil)
    }
    guard let handle = FileHandle(forWritingAtPath: file) else {
      preconditionFailure("\(file) cannot be written")
    }
    handle.seekToEndOfFile()
    handle.write(Data(bytes))
    handle.closeFile()
  }
}
