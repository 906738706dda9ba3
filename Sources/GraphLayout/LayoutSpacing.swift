/// The spacing of a drawing.
public struct LayoutSpacing: Sendable, Hashable {
  /// The distance between adjacent nodes in a layer.
  public var nodes: Double
  /// The distance between layers, where edges change columns.
  public var layers: Double
  /// The distance between an edge that crosses a layer and its neighbours.
  public var edges: Double

  /// Creates a spacing; negative and non-finite distances count as zero.
  public init(nodes: Double = 24, layers: Double = 36, edges: Double = 12) {
    self.nodes = nodes
    self.layers = layers
    self.edges = edges
  }

  /// The spacing with valid distances.
  var usable: LayoutSpacing {
    LayoutSpacing(
      nodes: usableLength(nodes), layers: usableLength(layers), edges: usableLength(edges))
  }
}

/// The valid length nearest to `length`.
func usableLength(_ length: Double) -> Double {
  length > 0 ? min(length, 1e6) : 0
}
