/// Boxes and arrows between them: what is to be drawn.
public struct DirectedGraph: Sendable, Hashable {
  /// An arrow from a node to another one, or to itself.
  public struct Edge: Sendable, Hashable {
    /// The index of the node where it begins.
    public var source: Int
    /// The index of the node where it ends.
    public var target: Int

    /// An arrow.
    public init(from source: Int, to target: Int) {
      self.source = source
      self.target = target
    }
  }

  /// The size of each node.
  public var nodes: [Size]
  /// The arrows; several between the same two nodes are allowed, and so are cycles.
  public var edges: [Edge]

  /// A graph.
  public init(nodes: [Size], edges: [Edge]) {
    self.nodes = nodes
    self.edges = edges
  }
}
