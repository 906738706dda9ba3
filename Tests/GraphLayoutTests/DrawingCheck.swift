import GraphLayout

/// Problems of a drawing, found from the drawing alone.
struct DrawingCheck {
  let graph: DirectedGraph
  let layout: LayeredLayout
  let spacing: LayoutSpacing
  private(set) var faults: [String] = []

  /// Coordinates are sums of a few doubles of this size at most; a millionth of a unit is far beyond their rounding.
  private let tolerance = 1e-6

  init(_ graph: DirectedGraph, _ spacing: LayoutSpacing, passages: Int = 50_000) {
    self.graph = graph
    self.spacing = spacing
    layout = LayeredLayout(of: graph, spacing: spacing, longestPassages: passages)
    checkNodes()
    for edge in graph.edges.indices { checkEdge(edge) }
  }

  private mutating func checkNodes() {
    if layout.frames.count != graph.nodes.count { faults.append("\(layout.frames.count) frames") }
    for (index, frame) in layout.frames.enumerated() {
      let inside =
        frame.left >= -tolerance && frame.top >= -tolerance
        && frame.right <= layout.size.width + tolerance
        && frame.bottom <= layout.size.height + tolerance
      if !inside { faults.append("node \(index) is outside") }
      for (other, second) in layout.frames.enumerated() where other > index {
        let horizontal = max(second.left - frame.right, frame.left - second.right)
        let vertical = max(second.top - frame.bottom, frame.top - second.bottom)
        if horizontal < spacing.nodes - tolerance, vertical < spacing.layers - tolerance {
          faults.append("nodes \(index) and \(other) are too close")
        }
      }
    }
  }

  private mutating func checkEdge(_ index: Int) {
    let edge = graph.edges[index]
    let route = layout.routes[index]
    guard graph.nodes.indices.contains(edge.source), graph.nodes.indices.contains(edge.target)
    else {
      if !route.isEmpty { faults.append("edge \(index) leads to nothing, and has a line") }
      return
    }
    guard let first = route.first, let last = route.last, route.count > 1 else {
      faults.append("edge \(index) has no line")
      return
    }
    let (source, target) = (layout.frames[edge.source], layout.frames[edge.target])
    if edge.source == edge.target {
      if abs(first.x - source.right) > tolerance || abs(last.x - source.right) > tolerance {
        faults.append("loop \(index) is not at its node")
      }
    } else {
      let goesDown = source.bottom <= target.top
      let (start, end) = goesDown ? (source.bottom, target.top) : (source.top, target.bottom)
      if abs(first.y - start) > tolerance || abs(last.y - end) > tolerance
        || first.x < source.left - tolerance || first.x > source.right + tolerance
        || last.x < target.left - tolerance || last.x > target.right + tolerance
      {
        faults.append("edge \(index) does not touch its nodes")
      }
      for (from, to) in zip(route, route.dropFirst()) where goesDown ? to.y < from.y : to.y > from.y
      {
        faults.append("edge \(index) turns back")
      }
    }
    for (from, to) in zip(route, route.dropFirst()) {
      if min(from.x, to.x) < -tolerance || max(from.x, to.x) > layout.size.width + tolerance {
        faults.append("edge \(index) is outside")
      }
      for (node, frame) in layout.frames.enumerated() where runs(from, to, through: frame) {
        faults.append("edge \(index) runs through node \(node)")
      }
    }
  }

  /// True if a straight line has a point inside a rectangle, not counting its sides.
  private func runs(_ from: Point, _ to: Point, through frame: Frame) -> Bool {
    var (enter, leave) = (0.0, 1.0)
    let ranges = [
      (from.x, to.x - from.x, frame.left + tolerance, frame.right - tolerance),
      (from.y, to.y - from.y, frame.top + tolerance, frame.bottom - tolerance),
    ]
    for (start, step, low, high) in ranges {
      guard low < high else { return false }
      if step == 0 {
        guard start > low, start < high else { return false }
        continue
      }
      let (first, second) = ((low - start) / step, (high - start) / step)
      enter = max(enter, min(first, second))
      leave = min(leave, max(first, second))
    }
    return enter < leave
  }

  /// Edges that do not lead down.
  var upwardEdges: [Int] {
    graph.edges.indices.filter {
      let (source, target) = (graph.edges[$0].source, graph.edges[$0].target)
      return layout.frames[source].bottom > layout.frames[target].top
    }
  }

  /// The number of pairs of lines that cross between two layers, by comparing all pairs.
  ///
  /// Lines that several edges share count once. Only for connected graphs whose nodes have a height.
  func crossings() -> Int {
    var bands: [(top: Double, bottom: Double)] = []
    for frame in layout.frames.sorted(by: { $0.top + $0.bottom < $1.top + $1.bottom }) {
      if let last = bands.last,
        abs(last.top + last.bottom - frame.top - frame.bottom) < 2 * tolerance
      {
        bands[bands.count - 1] = (min(last.top, frame.top), max(last.bottom, frame.bottom))
      } else {
        bands.append((frame.top, frame.bottom))
      }
    }
    var total = 0
    for (upper, lower) in zip(bands, bands.dropFirst()) {
      var lines: [(top: Double, bottom: Double)] = []
      for route in layout.routes {
        guard let top = x(of: route, at: upper.bottom), let bottom = x(of: route, at: lower.top)
        else { continue }
        let isKnown = lines.contains {
          abs($0.top - top) < tolerance && abs($0.bottom - bottom) < tolerance
        }
        if !isKnown { lines.append((top, bottom)) }
      }
      for (index, first) in lines.enumerated() {
        for second in lines[(index + 1)...] {
          let (above, below) = (first.top - second.top, first.bottom - second.bottom)
          if abs(above) > tolerance, abs(below) > tolerance, (above < 0) != (below < 0) {
            total += 1
          }
        }
      }
    }
    return total
  }

  private func x(of route: [Point], at y: Double) -> Double? {
    for (from, to) in zip(route, route.dropFirst()) where from.y <= y && y <= to.y {
      return from.y == to.y ? to.x : from.x + (to.x - from.x) * (y - from.y) / (to.y - from.y)
    }
    return nil
  }
}

/// Numbers that are the same for the same seed.
struct SeededNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

  /// The next number from zero up to `limit`, which it is not.
  mutating func next(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}

/// A graph whose nodes are of different sizes.
func graph(_ count: Int, _ edges: [(Int, Int)]) -> DirectedGraph {
  let nodes = (0..<count).map { (node: Int) -> Size in
    Size(width: Double(30 + 17 * (node % 5)), height: Double(10 + 7 * (node % 3)))
  }
  return DirectedGraph(nodes: nodes, edges: edges.map { .init(from: $0.0, to: $0.1) })
}
