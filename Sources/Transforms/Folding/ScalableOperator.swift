import ModelIR
import Operators

/// An operator that a scale of its output channels can be folded into: sums of products with a kernel.
protocol ScalableOperator: SummingOperator {
  /// The kernel whose sums are the output.
  static var scaledRole: ParameterRole { get }
  /// The axes of that kernel that count the output channels, slowest first.
  static var outputAxes: [Axis] { get }
}

extension ScalableOperator {
  static var scaledRole: ParameterRole { .kernel }
  static var outputAxes: [Axis] { [.outputChannels] }
}

extension Convolution2D: ScalableOperator {}
extension TransposedConvolution2D: ScalableOperator {}
extension Dense: ScalableOperator {}

extension DepthwiseConvolution2D: ScalableOperator {
  static var outputAxes: [Axis] { [.inputChannels, .multiplier] }
}

extension SeparableConvolution2D: ScalableOperator {
  // The first half has no bias to take the shift.
  static var scaledRole: ParameterRole { .pointwise }
}
