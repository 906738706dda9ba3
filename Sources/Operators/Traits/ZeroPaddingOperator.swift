import ModelIR

/// An operator that puts zeros around its input.
package protocol ZeroPaddingOperator: Operator {
  /// The zeros before and behind each spatial axis: `[[top, bottom], [left, right]]`, or `[[before, after]]`.
  var padding: [[Int]] { get set }
}

extension ZeroPaddingOperator {
  /// Rows of zeros above an image; none above a sequence, which is an image of one row.
  package var top: Int { padding.count > 1 ? padding[0][0] : 0 }

  /// Columns of zeros left of an image, or before a sequence.
  package var left: Int { padding[padding.count - 1][0] }
}
