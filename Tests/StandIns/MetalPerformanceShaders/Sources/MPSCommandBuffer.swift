/// A command buffer around another, which a graph may commit and replace while it is encoded.
///
/// This one never does.
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscommandbuffer
open class MPSCommandBuffer: NSObject, MTLCommandBuffer {
  /// The one inside.
  open var commandBuffer: any MTLCommandBuffer { inside }
  private var inside: any MTLCommandBuffer

  /// Around a command buffer.
  public init(commandBuffer: any MTLCommandBuffer) { inside = commandBuffer }

  /// Around a new one of a queue.
  public convenience init(from commandQueue: any MTLCommandQueue) {
    guard let commandBuffer = commandQueue.makeCommandBuffer() else {
      preconditionFailure("the queue has no command buffer")
    }
    self.init(commandBuffer: commandBuffer)
  }

  /// Of the one inside.
  open var device: any MTLDevice { inside.device }
  /// Of the one inside.
  open var commandQueue: any MTLCommandQueue { inside.commandQueue }
  /// Of the one inside.
  open var label: String? {
    get { inside.label }
    set { inside.label = newValue }
  }
  /// Of the one inside.
  open var status: MTLCommandBufferStatus { inside.status }
  /// Of the one inside.
  open var error: (any Error)? { inside.error }

  /// Hands the work to the device.
  open func commit() { inside.commit() }
  /// Blocks until the work is done.
  open func waitUntilCompleted() { inside.waitUntilCompleted() }
  /// Calls something when the work is done.
  open func addCompletedHandler(_ block: @escaping MTLCommandBufferHandler) {
    inside.addCompletedHandler(block)
  }
  /// An encoder of kernels.
  open func makeComputeCommandEncoder() -> (any MTLComputeCommandEncoder)? {
    inside.makeComputeCommandEncoder()
  }
  /// An encoder of drawings.
  open func makeRenderCommandEncoder(
    descriptor renderPassDescriptor: MTLRenderPassDescriptor
  ) -> (any MTLRenderCommandEncoder)? {
    inside.makeRenderCommandEncoder(descriptor: renderPassDescriptor)
  }
  /// Shows something when the work is done.
  open func present(_ drawable: any MTLDrawable) { inside.present(drawable) }
}

extension MPSCommandBuffer {
  /// Hands what was encoded so far to the device, and goes on with another command buffer, as a graph may do.
  package func commitAndContinue() {
    guard let next = commandQueue.makeCommandBuffer() else {
      preconditionFailure("the queue has no command buffer")
    }
    inside.commit()
    inside = next
  }
}

extension MPSCommandBuffer: WrappedCommandBuffer {
  package var wrapped: any MTLCommandBuffer { inside }
}
