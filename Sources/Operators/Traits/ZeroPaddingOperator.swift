import ModelIR

/// An operator that pads its input with zeros.
package protocol ZeroPaddingOperator: Operator {
  /// The number of zeros before and after each spatial axis: `[[top, bottom], [left, right]]`, or `[[before, after]]`.
  var padding: [[Int]] { get set }
}

extension ZeroPaddingOperator {
  /// The number of rows of zeros above an image; 0 for a sequence.
  package var top: Int { padding.count > 1 ? padding[0][0] : 0 }

  /// The number of columns of zeros left of an image, or before a sequence.
  package var left: Int { padding[padding.count - 1][0] }
}
