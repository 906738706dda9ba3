/// How far a command buffer has come.
///
/// https://developer.apple.com/documentation/metal/mtlcommandbufferstatus
public enum MTLCommandBufferStatus: UInt, Sendable {
  /// New.
  case notEnqueued = 0
  /// Has its place in the queue.
  case enqueued = 1
  /// Waits for the device.
  case committed = 2
  /// Is on the device.
  case scheduled = 3
  /// Has run.
  case completed = 4
  /// Has failed; see ``MTLCommandBuffer/error``.
  case error = 5
}

/// A queue of command buffers, which run one after another.
///
/// https://developer.apple.com/documentation/metal/mtlcommandqueue
public protocol MTLCommandQueue: NSObjectProtocol {
  /// A name for tools.
  var label: String? { get set }
  /// The device that made it.
  var device: any MTLDevice { get }
  /// An empty command buffer.
  func makeCommandBuffer() -> (any MTLCommandBuffer)?
}

/// What is called with a command buffer.
///
/// https://developer.apple.com/documentation/metal/mtlcommandbufferhandler
public typealias MTLCommandBufferHandler = @Sendable (any MTLCommandBuffer) -> Void

/// Work for the device, which starts when it is committed.
///
/// https://developer.apple.com/documentation/metal/mtlcommandbuffer
public protocol MTLCommandBuffer: NSObjectProtocol {
  /// The device that runs it.
  var device: any MTLDevice { get }
  /// The queue that made it.
  var commandQueue: any MTLCommandQueue { get }
  /// A name for tools.
  var label: String? { get set }
  /// How far it has come.
  var status: MTLCommandBufferStatus { get }
  /// Why it failed.
  var error: (any Error)? { get }
  /// Hands the work to the device. Nothing can be encoded after that.
  func commit()
  /// Blocks until the work is done.
  func waitUntilCompleted()
  /// Calls something on another thread when the work is done, or has failed.
  func addCompletedHandler(_ block: @escaping MTLCommandBufferHandler)
  /// An encoder of kernels.
  func makeComputeCommandEncoder() -> (any MTLComputeCommandEncoder)?
  /// An encoder of drawings.
  func makeRenderCommandEncoder(
    descriptor renderPassDescriptor: MTLRenderPassDescriptor
  ) -> (any MTLRenderCommandEncoder)?
  /// Shows something when the work is done.
  func present(_ drawable: any MTLDrawable)
}

/// A command buffer around another, which has the work.
package protocol WrappedCommandBuffer: MTLCommandBuffer {
  /// The one inside.
  var wrapped: any MTLCommandBuffer { get }
}

extension MTLCommandBuffer {
  /// Adds work.
  ///
  /// Encoders have read their parameters by now; the data is read when the work runs.
  package func encode(_ work: @escaping () -> Void) {
    if let outer = self as? any WrappedCommandBuffer { return outer.wrapped.encode(work) }
    guard let buffer = self as? StandInCommandBuffer else {
      preconditionFailure("a command buffer that no stand-in made")
    }
    buffer.add(work)
  }
}

final class StandInCommandQueue: NSObject, MTLCommandQueue {
  var label: String?
  let device: any MTLDevice
  fileprivate let queue = DispatchQueue(label: "MTLCommandQueue")

  init(device: any MTLDevice) { self.device = device }

  func makeCommandBuffer() -> (any MTLCommandBuffer)? { StandInCommandBuffer(owner: self) }
}

final class StandInCommandBuffer: NSObject, MTLCommandBuffer, @unchecked Sendable {
  var label: String?
  private let owner: StandInCommandQueue
  private var work: [() -> Void] = []
  private let lock = NSLock()
  private var progress = MTLCommandBufferStatus.notEnqueued
  private var handlers: [MTLCommandBufferHandler] = []
  private let done = DispatchSemaphore(value: 0)

  var device: any MTLDevice { owner.device }
  var commandQueue: any MTLCommandQueue { owner }
  var status: MTLCommandBufferStatus { lock.withLock { progress } }
  var error: (any Error)? { status == .error ? StandInFailure() : nil }

  init(owner: StandInCommandQueue) { self.owner = owner }

  func makeComputeCommandEncoder() -> (any MTLComputeCommandEncoder)? {
    StandInComputeEncoder(self)
  }

  func makeRenderCommandEncoder(
    descriptor renderPassDescriptor: MTLRenderPassDescriptor
  ) -> (any MTLRenderCommandEncoder)? {
    renderPassDescriptor.target.map { StandInRenderEncoder(self, target: $0) }
  }

  func present(_ drawable: any MTLDrawable) { add { drawable.present() } }

  func add(_ work: @escaping () -> Void) {
    precondition(
      status.rawValue < MTLCommandBufferStatus.committed.rawValue, "encoded after commit()")
    self.work.append(work)
  }

  func addCompletedHandler(_ block: @escaping MTLCommandBufferHandler) {
    precondition(
      status.rawValue < MTLCommandBufferStatus.committed.rawValue, "a handler after commit()")
    handlers.append(block)
  }

  func commit() {
    StandInTrace.write("commit")
    let fails = StandInTrace.nextFails()
    lock.withLock {
      precondition(progress.rawValue < MTLCommandBufferStatus.committed.rawValue, "committed twice")
      progress = .committed
    }
    owner.queue.async { [self] in
      lock.withLock { progress = .scheduled }
      StandInTrace.wait()
      if !fails { for item in work { item() } }
      work = []
      StandInTrace.write("done")
      lock.withLock { progress = fails ? .error : .completed }
      done.signal()
      for handler in handlers { handler(self) }
      handlers = []
    }
  }

  func waitUntilCompleted() {
    precondition(status != .notEnqueued, "waitUntilCompleted() before commit() never returns")
    done.wait()
    done.signal()
  }
}
