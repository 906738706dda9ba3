/// The lines of edges: vertical inside layers, and from column to column between layers.
struct Routing {
  private let vertices: LayeredVertices
  private let middles: [Double]
  private let frames: [Frame]
  private let bands: [Rows.Band]
  private let trunkLines: [TrunkLine]
  private let offsets: [Double]

  /// The bends of a trunk, with their number down to each of its layers.
  private struct TrunkLine {
    var points: [Point] = []
    var countAtLayer: [Int] = []
    /// The column of a straight trunk.
    var x: Double?
  }

  init(
    _ vertices: LayeredVertices, middles: [Double], frames: [Frame], bands: [Rows.Band],
    laneX: [Double?], spacing: LayoutSpacing
  ) {
    self.vertices = vertices
    self.middles = middles
    self.frames = frames
    self.bands = bands
    trunkLines = zip(vertices.trunks, laneX).map { trunk, lane in
      var line = TrunkLine(x: lane)
      guard let first = trunk.firstVertex else { return line }
      for (index, layer) in trunk.layers.enumerated() {
        let x = middles[first + index]
        if index == 0 {
          line.points.append(Point(x: x, y: bands[layer].top))
        } else if x != middles[first + index - 1] {
          line.points.append(Point(x: middles[first + index - 1], y: bands[layer - 1].bottom))
          line.points.append(Point(x: x, y: bands[layer].top))
        }
        line.countAtLayer.append(line.points.count)
      }
      return line
    }
    offsets = Self.offsets(vertices.links, frames: frames, spacing: spacing)
  }

  /// The horizontal offsets of edges between the same two nodes, which keep them apart.
  private static func offsets(
    _ links: [LayeredVertices.Link], frames: [Frame], spacing: LayoutSpacing
  ) -> [Double] {
    var offsets = [Double](repeating: 0, count: links.count)
    let byPair = links.indices.sorted {
      (links[$0].upper, links[$0].lower, $0) < (links[$1].upper, links[$1].lower, $1)
    }
    var start = 0
    while start < byPair.count {
      let first = links[byPair[start]]
      var end = start + 1
      while end < byPair.count, links[byPair[end]].upper == first.upper,
        links[byPair[end]].lower == first.lower
      {
        end += 1
      }
      let narrower = min(frames[first.upper].size.width, frames[first.lower].size.width)
      let step = min(spacing.edges / 2, narrower / 4 / Double(end - start))
      for (index, link) in byPair[start..<end].enumerated() {
        offsets[link] = (Double(index) - Double(end - start - 1) / 2) * step
      }
      start = end
    }
    return offsets
  }

  /// The line of an edge from its source to its target.
  func route(of index: Int) -> [Point] {
    let link = vertices.links[index]
    let (upperLayer, lowerLayer) = (vertices.layerOf[link.upper], vertices.layerOf[link.lower])
    let passage = passages(of: link, before: lowerLayer)
    let upperX = port(of: link.upper, towards: passage.first?.x ?? middles[link.lower], index)
    let lowerX = port(of: link.lower, towards: passage.last?.x ?? middles[link.upper], index)

    var line = UprightLine()
    line.append(Point(x: upperX, y: frames[link.upper].bottom))
    line.append(Point(x: upperX, y: bands[upperLayer].bottom))
    for point in passage { line.append(point) }
    line.append(Point(x: lowerX, y: bands[lowerLayer].top))
    line.append(Point(x: lowerX, y: frames[link.lower].top))
    return link.isReversed ? line.points.reversed() : line.points
  }

  /// The points of an edge between the layers of its ends.
  private func passages(of link: LayeredVertices.Link, before lowerLayer: Int) -> [Point] {
    guard let trunk = link.trunk else { return [] }
    let layers = vertices.trunks[trunk].layers
    let line = trunkLines[trunk]
    let bottom = bands[lowerLayer - 1].bottom
    if let x = line.x {
      return [Point(x: x, y: bands[layers.lowerBound].top), Point(x: x, y: bottom)]
    }
    let bends = line.points.prefix(line.countAtLayer[lowerLayer - 1 - layers.lowerBound])
    return bends + [Point(x: bends.last?.x ?? 0, y: bottom)]
  }

  /// The point where an edge meets a node: straight towards `x` within the middle half of the side.
  private func port(of node: Int, towards x: Double, _ index: Int) -> Double {
    let reach = frames[node].size.width / 4
    return min(max(x, middles[node] - reach), middles[node] + reach) + offsets[index]
  }
}

/// A line without redundant points: no duplicates, and no points inside a vertical segment.
private struct UprightLine {
  private(set) var points: [Point] = []

  mutating func append(_ point: Point) {
    guard point != points.last else { return }
    if points.count > 1, points[points.count - 1].x == point.x,
      points[points.count - 2].x == point.x
    {
      points.removeLast()
    }
    points.append(point)
  }
}
