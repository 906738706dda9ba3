/// What stays free in a drawing.
public struct LayoutSpacing: Sendable, Hashable {
  /// Between two nodes side by side.
  public var nodes: Double
  /// Between two layers, one below the other: where edges change their columns.
  public var layers: Double
  /// Between an edge that passes a layer and its neighbours there.
  public var edges: Double

  /// Distances; what is negative or not finite counts as zero.
  public init(nodes: Double = 24, layers: Double = 36, edges: Double = 12) {
    self.nodes = nodes
    self.layers = layers
    self.edges = edges
  }

  /// Distances that a drawing can have.
  var usable: LayoutSpacing {
    LayoutSpacing(
      nodes: usableLength(nodes), layers: usableLength(layers), edges: usableLength(edges))
  }
}

/// `length`, or the nearest one that a drawing can have.
func usableLength(_ length: Double) -> Double {
  length > 0 ? min(length, 1e6) : 0
}
