import ModelIR

/// An operator that sums products with a kernel, and applies an activation to the sums.
package protocol SummingOperator: Operator {
  /// Applied to the sum.
  var activation: ActivationFunction { get }
}

extension Convolution2D: SummingOperator {}
extension DepthwiseConvolution2D: SummingOperator {}
extension Dense: SummingOperator {}
extension SeparableConvolution2D: SummingOperator {}
extension TransposedConvolution2D: SummingOperator {}
