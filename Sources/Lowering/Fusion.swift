import ModelIR
import Operators

/// The operations that a step performs in addition to its own.
package struct Fusion: Sendable {
  /// Zero padding of the first input.
  package var padding: (any ZeroPaddingOperator)?
  /// True if the last input is added to the result, before the activation.
  package var addsInput = false
  /// The activation, in place of the operation's own, which is then linear.
  package var activation: ActivationFunction?

  /// Creates no additional operations.
  package init() {}

  /// True if there are no additional operations.
  package var isEmpty: Bool { padding == nil && !addsInput && activation == nil }
}

/// An operator that sums products with a kernel, and into which neighbouring layers can be fused.
///
/// The last axis of the kernel is the output channels; for a depthwise kernel, the last two axes are.
package protocol FusingOperator: SummingOperator {
  /// True if the kernel supports zero padding of its input.
  var takesPadding: Bool { get }
  /// True if the kernel supports adding another value to the result.
  var takesSum: Bool { get }
}

extension SpatialConvolution: FusingOperator {
  // A padding of its own depends on the size of its input, which a fused layer would change.
  /// True for a window without padding.
  package var takesPadding: Bool { padding == .valid }
  /// True.
  package var takesSum: Bool { true }
}

extension SpatialDepthwiseConvolution: FusingOperator {
  // A padding of its own depends on the size of its input, which a fused layer would change.
  /// True for a window without padding.
  package var takesPadding: Bool { padding == .valid }
  /// False.
  package var takesSum: Bool { false }
}

extension Dense: FusingOperator {
  /// False: a vector has no border.
  package var takesPadding: Bool { false }
  /// True.
  package var takesSum: Bool { true }
}
