/// The drawing of a connected graph.
struct PartDrawing {
  /// The upper left corner of each node.
  private(set) var origins: [Point]
  /// The line of each edge.
  private(set) var routes: [[Point]]
  private(set) var size: Size
  private(set) var crossings: Int

  init(sizes: [Size], edges: [DirectedGraph.Edge], spacing: LayoutSpacing, passages: Int) {
    let joining = edges.indices.filter { edges[$0].source != edges[$0].target }
    let loops = Loops(edges, nodeCount: sizes.count, spacing: spacing)
    let joiningEdges = joining.map { edges[$0] }
    let vertices = LayeredVertices(
      nodeCount: sizes.count, edges: joiningEdges,
      isReversed: backEdges(nodeCount: sizes.count, edges: joiningEdges), passages: passages)
    let reduction = CrossingReduction(LayerOrder(vertices))
    crossings = reduction.crossings

    let passageCount = vertices.count - sizes.count
    let widths =
      sizes.indices.map { sizes[$0].width + 2 * loops.reach(of: $0) }
      + [Double](repeating: 0, count: passageCount)
    let columns = Columns(
      reduction.best, isNode: (0..<vertices.count).map { vertices.isNode($0) }, widths: widths,
      spacing: spacing)
    let rows = Rows(reduction.best.layers, sizes: sizes, gap: spacing.layers)
    let lanes = Lanes(vertices.trunks, layerCount: vertices.layerCount)
    let left = columns.middles.indices.reduce(Double.infinity) {
      min($0, columns.middles[$1] - widths[$1] / 2)
    }
    let right = columns.middles.indices.reduce(-Double.infinity) {
      max($0, columns.middles[$1] + widths[$1] / 2)
    }
    let middles = columns.middles.map { $0 - left }
    origins = sizes.indices.map { node in
      let row = rows.bands[vertices.layerOf[node]]
      return Point(
        x: middles[node] - sizes[node].width / 2,
        y: row.top + (row.bottom - row.top - sizes[node].height) / 2)
    }
    let nodesRight = right - left
    let frames = zip(origins, sizes).map { Frame(origin: $0, size: $1) }
    let routing = Routing(
      vertices, middles: middles, frames: frames, bands: rows.bands,
      laneX: lanes.laneOf.map { lane in
        lane.map { nodesRight + spacing.nodes + Double($0) * spacing.edges }
      }, spacing: spacing)

    routes = Array(repeating: [], count: edges.count)
    for (index, edge) in joining.enumerated() { routes[edge] = routing.route(of: index) }
    for (edge, route) in loops.routes(frames) { routes[edge] = route }
    let lanesWidth =
      lanes.count == 0 ? 0 : spacing.nodes + Double(lanes.count - 1) * spacing.edges
    size = Size(width: nodesRight + lanesWidth, height: rows.height)
  }
}
