/// Where the nodes and edges of a graph are drawn: nodes in layers, and edges from each layer to those below.
///
/// The method is that of Sugiyama, Tagawa and Toda (1981): edges that close a cycle are turned round, nodes get layers,
/// each layer an order with few crossings, and each node a place. Time and memory grow with the graph and what is returned,
/// not with the layers that edges pass. The same graph always gives the same drawing.
///
/// Edges of a node to distant layers share a line as far as they go together. A node never overlaps another one,
/// and no edge runs through a node.
public struct LayeredLayout: Sendable, Hashable {
  /// The place of each node, in the order of the graph's nodes.
  public private(set) var frames: [Frame]
  /// The line of each edge from its source to its target, in the order of the graph's edges.
  ///
  /// Lines are straight from point to point, and upright inside layers. Where one is not upright it lies between two layers,
  /// and so does a curve with upright tangents at both points. An edge that closes a cycle goes up, and one from a node to
  /// itself is a loop at its right side. An edge with a node that does not exist has no points.
  public private(set) var routes: [[Point]]
  /// What the drawing takes; its upper left corner is zero.
  public private(set) var size: Size
  /// How many pairs of lines cross, those aside that go round the layers.
  package private(set) var crossings: Int

  /// Lays out `graph`.
  ///
  /// Parts that no edge joins lie side by side, in rows if there are many. Sizes that are negative or not finite count as zero.
  public init(of graph: DirectedGraph, spacing: LayoutSpacing = LayoutSpacing()) {
    self.init(of: graph, spacing: spacing, longestPassages: 50_000)
  }

  /// Lays out `graph` with at most `longestPassages` places where edges pass layers; edges beyond that go round.
  package init(of graph: DirectedGraph, spacing: LayoutSpacing, longestPassages: Int) {
    let spacing = spacing.usable
    let sizes = graph.nodes.map {
      Size(width: usableLength($0.width), height: usableLength($0.height))
    }
    frames = sizes.map { Frame(origin: Point(x: 0, y: 0), size: $0) }
    routes = Array(repeating: [], count: graph.edges.count)
    size = Size(width: 0, height: 0)
    crossings = 0

    let parts = ConnectedPart.parts(of: graph)
    var drawings: [PartDrawing] = []
    for part in parts {
      drawings.append(
        PartDrawing(
          sizes: part.nodes.map { sizes[$0] }, edges: part.localEdges, spacing: spacing,
          passages: longestPassages * part.nodes.count / max(1, sizes.count)))
    }
    let shelves = Shelves(drawings.map(\.size), gap: max(spacing.nodes, spacing.layers))
    size = shelves.size
    for (index, part) in parts.enumerated() {
      let drawing = drawings[index]
      let origin = shelves.origins[index]
      for (local, node) in part.nodes.enumerated() {
        frames[node].origin = drawing.origins[local].moved(by: origin)
      }
      for (local, edge) in part.edges.enumerated() {
        routes[edge] = drawing.routes[local].map { $0.moved(by: origin) }
      }
      crossings += drawing.crossings
    }
  }
}

extension Point {
  func moved(by offset: Point) -> Point { Point(x: x + offset.x, y: y + offset.y) }
}
