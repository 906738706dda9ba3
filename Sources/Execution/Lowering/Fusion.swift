import ModelIR
import Operators

/// What a step does besides its operation.
struct Fusion: Sendable {
  /// Zeros around the first input.
  var padding: (any ZeroPaddingOperator)?
  /// Whether the last input is added to the result, before the activation.
  var addsInput = false
  /// Applied in place of the operation's own activation, which is then linear.
  var activation: ActivationFunction?

  /// Whether there is nothing.
  var isEmpty: Bool { padding == nil && !addsInput && activation == nil }
}

/// A fast kernel that does more than its operation on the way.
protocol FusingKernel: FastKernel where Implemented: FusingOperator {}

extension FusingKernel {
  /// A kernel that does just its operation.
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) throws(NetconvError) {
    try self.init(operation, parameters, level, Fusion())
  }
}

/// An operator that sums products with a kernel; its fast kernel is a ``FusingKernel``.
///
/// The kernel's last axis is the output channels; of a depthwise kernel, the last two are.
protocol FusingOperator: SummingOperator {
  /// Whether the kernel can read an image as if there were zeros around it.
  var takesPadding: Bool { get }
  /// Whether the kernel can add another value to the result.
  var takesSum: Bool { get }
}
