import ModelIR

/// An operator that computes the maximum or the mean of each window, or of the whole input.
package protocol PoolingOperator: Operator {
  /// The operator with the mean instead of the maximum, or vice versa.
  var counterpart: any Operator { get }
}
