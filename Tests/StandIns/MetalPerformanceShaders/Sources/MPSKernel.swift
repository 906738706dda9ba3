/// What all kernels have.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpskernel
open class MPSKernel: NSObject {
  /// The device that runs it.
  public let device: any MTLDevice
  /// A name for tools.
  open var label: String?

  /// A kernel with the defaults of its class.
  public init(device: any MTLDevice) { self.device = device }
}
