import ModelIR

/// An operator that divides by the root of a variance or a mean square.
package protocol VarianceOperator: Operator {
  /// The constant that is added to the variance, so that the root is not zero.
  var epsilon: Double { get set }
}
