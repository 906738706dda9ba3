/// Self-loops at the right side of their nodes.
struct Loops {
  private var edgesOf: [(edge: Int, node: Int)] = []
  private var hasLoop: [Bool]
  private let width: Double

  init(_ edges: [DirectedGraph.Edge], nodeCount: Int, spacing: LayoutSpacing) {
    width = spacing.edges
    hasLoop = [Bool](repeating: false, count: nodeCount)
    for (index, edge) in edges.enumerated() where edge.source == edge.target {
      edgesOf.append((index, edge.source))
      hasLoop[edge.source] = true
    }
  }

  /// The extent of a node's loops beyond its side.
  func reach(of node: Int) -> Double { hasLoop[node] ? width : 0 }

  /// The line of each loop.
  ///
  /// Several loops of one node are nested.
  func routes(_ frames: [Frame]) -> [(edge: Int, route: [Point])] {
    var seen = [Int](repeating: 0, count: frames.count)
    return edgesOf.map { edge, node in
      seen[node] += 1
      let frame = frames[node]
      let reach = frame.right + width / Double(seen[node])
      let middle = (frame.top + frame.bottom) / 2
      let rise = frame.size.height / 4 / Double(seen[node])
      return (
        edge,
        [
          Point(x: frame.right, y: middle + rise), Point(x: reach, y: middle + rise),
          Point(x: reach, y: middle - rise), Point(x: frame.right, y: middle - rise),
        ]
      )
    }
  }
}
