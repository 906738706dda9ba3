import ModelIR

/// A 1-D operator with an equivalent 2-D operator for images of one row.
///
/// Both have the same parameters, in the same order in memory.
package protocol LineOperator: Operator {
  /// The type of the 2-D operator.
  associatedtype Planar: Operator

  /// The equivalent for images with one row; its activation applies along the same axes.
  var planar: Planar { get }
}

extension ActivationFunction {
  /// The function for an image of one row instead of a sequence: axes counted from the front shift by one.
  package var planar: ActivationFunction { along(\.planar) }
}

extension AxisList {
  fileprivate var planar: AxisList { AxisList(axes.map { $0 < 0 ? $0 : $0 + 1 }) }
}

extension SpatialSize where Space == Line {
  /// The size for a single row.
  package var planar: Size2D { Size2D(1, length) }
}

extension [Int] {
  /// The shape of a sequence as an image of one row; the shape of an image is unchanged.
  package var planar: [Int] { count == 2 ? [1] + self : self }
}
