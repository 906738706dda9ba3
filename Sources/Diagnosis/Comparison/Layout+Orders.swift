import ModelIR

// Helpers for the search of an axis order by values.

extension Layout {
  /// Creates a layout with one dimension per axis; `nil` if an axis is repeated.
  init?(apart axes: [Axis]) {
    guard let layout = try? Layout(axes.map { Layout.Dimension([$0]) }) else { return nil }
    self = layout
  }
}

extension Rearrangement {
  /// The values in the new order.
  func applied(to values: [Float]) -> [Float] { copy.applied(to: values) }
}
