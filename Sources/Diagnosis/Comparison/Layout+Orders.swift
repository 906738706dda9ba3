import ModelIR

// What recognises an order by values tries orders, and moves values from one to another.

extension Layout {
  /// Each axis as a dimension of its own; `nil` if one comes twice.
  init?(apart axes: [Axis]) {
    guard let layout = try? Layout(axes.map { Layout.Dimension([$0]) }) else { return nil }
    self = layout
  }
}

extension Rearrangement {
  /// The values in the new order.
  func applied(to values: [Float]) -> [Float] { copy.applied(to: values) }
}
