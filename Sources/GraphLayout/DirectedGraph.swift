/// A graph to draw: boxes, and arrows between them.
public struct DirectedGraph: Sendable, Hashable {
  /// An arrow from a node to another one, or to itself.
  public struct Edge: Sendable, Hashable {
    /// The index of the node at the start.
    public var source: Int
    /// The index of the node at the end.
    public var target: Int

    /// Creates an edge.
    public init(from source: Int, to target: Int) {
      self.source = source
      self.target = target
    }
  }

  /// The size of each node.
  public var nodes: [Size]
  /// The arrows, possibly with cycles and with several arrows between two nodes.
  public var edges: [Edge]

  /// Creates a graph.
  public init(nodes: [Size], edges: [Edge]) {
    self.nodes = nodes
    self.edges = edges
  }
}
