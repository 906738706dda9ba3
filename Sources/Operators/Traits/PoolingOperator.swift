import ModelIR

/// An operator that takes the largest value, or the mean, of each window or of the whole input.
package protocol PoolingOperator: Operator {
  /// The same with the mean for the largest value, or the reverse.
  var counterpart: any Operator { get }
}
