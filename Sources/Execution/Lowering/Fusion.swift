import ModelIR
import Operators

/// The operations that a step performs in addition to its own.
struct Fusion: Sendable {
  /// Zero padding of the first input.
  var padding: (any ZeroPaddingOperator)?
  /// True if the last input is added to the result, before the activation.
  var addsInput = false
  /// The activation, in place of the operation's own, which is then linear.
  var activation: ActivationFunction?

  /// True if there are no additional operations.
  var isEmpty: Bool { padding == nil && !addsInput && activation == nil }
}

/// A fast kernel that supports fused operations.
protocol FusingKernel: FastKernel where Implemented: FusingOperator {}

extension FusingKernel {
  /// Creates a kernel without fused operations.
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) throws(NetconvError) {
    try self.init(operation, parameters, level, Fusion())
  }
}

/// An operator that sums products with a kernel; its fast kernel is a ``FusingKernel``.
///
/// The last axis of the kernel is the output channels; for a depthwise kernel, the last two axes are.
protocol FusingOperator: SummingOperator {
  /// True if the kernel supports zero padding of its input.
  var takesPadding: Bool { get }
  /// True if the kernel supports adding another value to the result.
  var takesSum: Bool { get }
}
