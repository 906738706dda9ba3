/// A layered drawing of a graph: nodes in layers, and edges from each layer to lower layers.
///
/// The method is that of Sugiyama, Tagawa and Toda (1981): edges that close a cycle are reversed,
/// nodes are assigned to layers, each layer gets an order with few crossings, and each node a
/// position. Time and memory are proportional to the graph and the result, not to the number of
/// layers that edges span. The drawing is deterministic.
///
/// Edges from a node to distant layers share a line as far as possible. Nodes do not overlap, and
/// no edge crosses a node.
public struct LayeredLayout: Sendable, Hashable {
  /// The rectangle of each node, in the order of the graph's nodes.
  public private(set) var frames: [Frame]
  /// The line of each edge from its source to its target, in the order of the graph's edges.
  ///
  /// Lines are polylines that are vertical inside layers. A segment that is not vertical lies
  /// between two layers, and so does a curve with vertical tangents at its ends. An edge that
  /// closes a cycle goes up, and a self-loop is at the node's right side. An edge with an invalid
  /// node has no points.
  public private(set) var routes: [[Point]]
  /// The size of the drawing, whose upper left corner is the origin.
  public private(set) var size: Size
  /// The number of crossing pairs of lines, except for lines that bypass the layers.
  package private(set) var crossings: Int

  /// Lays out `graph`.
  ///
  /// Connected components are side by side, in rows if there are many. Negative and non-finite
  /// sizes count as zero.
  public init(of graph: DirectedGraph, spacing: LayoutSpacing = LayoutSpacing()) {
    self.init(of: graph, spacing: spacing, longestPassages: 50_000)
  }

  /// Lays out `graph` with at most `longestPassages` vertices for edges that cross layers; further
  /// edges bypass the layers.
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
