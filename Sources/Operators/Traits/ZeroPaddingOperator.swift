import ModelIR

/// An operator that puts zeros around its input.
package protocol ZeroPaddingOperator: Operator {
  /// The zeros before and behind each spatial axis: `[[top, bottom], [left, right]]`.
  var padding: [[Int]] { get set }
}

extension ZeroPaddingOperator {
  /// Rows of zeros above an image.
  package var top: Int { padding[0][0] }

  /// Columns of zeros left of an image.
  package var left: Int { padding[1][0] }
}
