import ModelIR

/// An operator that divides by the root of a variance or of a mean square.
package protocol VarianceOperator: Operator {
  /// Added to the variance, so that the root is never of zero.
  var epsilon: Double { get set }
}
