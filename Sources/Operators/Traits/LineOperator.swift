import ModelIR

/// An operator over sequences that does what another one does over images of one row.
///
/// Both take the same parameters; their values lie in the same order.
package protocol LineOperator: Operator {
  /// The operator over images.
  associatedtype Planar: Operator

  /// The same over images of one row; its activation looks along the same axes.
  var planar: Planar { get }
}

extension ActivationFunction {
  /// The same for an image of one row in place of a sequence, in which axes counted from the front come one later.
  package var planar: ActivationFunction { along(\.planar) }
}

extension AxisList {
  fileprivate var planar: AxisList { AxisList(axes.map { $0 < 0 ? $0 : $0 + 1 }) }
}

extension SpatialSize where Space == Line {
  /// The size of a single row.
  package var planar: Size2D { Size2D(1, length) }
}

extension [Int] {
  /// The shape of an image of one row, of a sequence's; that of an image is as it is.
  package var planar: [Int] { count == 2 ? [1] + self : self }
}
