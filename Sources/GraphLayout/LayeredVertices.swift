/// The nodes in their layers, and dummy vertices where edges cross a layer, so that every segment
/// connects adjacent layers.
///
/// Edges from a node to distant layers share a trunk, with a vertex in each layer that it crosses.
/// Trunks that would need too many vertices bypass the layers.
struct LayeredVertices {
  /// An edge, with its upper end first.
  struct Link {
    var upper: Int
    var lower: Int
    /// True if the source is the lower end.
    var isReversed: Bool
    /// The trunk of the edge, if it crosses a layer.
    var trunk: Int?
  }

  /// The common part of edges from one node.
  struct Trunk {
    /// The node at the start.
    var top: Int
    /// The layers that the trunk crosses.
    var layers: ClosedRange<Int>
    /// The vertex in the first of these layers, followed by the others; `nil` if the trunk bypasses
    /// the layers.
    var firstVertex: Int?
  }

  /// The edges.
  private(set) var links: [Link] = []
  private(set) var trunks: [Trunk] = []
  /// The layer of each vertex; the nodes come first.
  private(set) var layerOf: [Int]
  let nodeCount: Int
  let layerCount: Int
  /// The upper and lower vertex of each segment; parallel edges share one.
  private(set) var segmentUpper: [Int] = []
  private(set) var segmentLower: [Int] = []

  /// The number of vertices.
  var count: Int { layerOf.count }

  func isNode(_ vertex: Int) -> Bool { vertex < nodeCount }

  init(nodeCount: Int, edges: [DirectedGraph.Edge], isReversed: [Bool], passages: Int) {
    self.nodeCount = nodeCount
    for (edge, reversed) in zip(edges, isReversed) {
      links.append(
        Link(
          upper: reversed ? edge.target : edge.source, lower: reversed ? edge.source : edge.target,
          isReversed: reversed))
    }
    let assignment = LayerAssignment(
      nodeCount: nodeCount, upper: links.map(\.upper), lower: links.map(\.lower))
    layerOf = assignment.layers
    layerCount = assignment.count
    findTrunks()
    makeVertices(atMost: passages)
    makeSegments()
  }

  /// Creates one trunk for all downward edges of a node, and one for its reversed edges.
  private mutating func findTrunks() {
    var trunkOf = [[Int?]](repeating: [nil, nil], count: nodeCount)
    for index in links.indices {
      let link = links[index]
      let (first, last) = (layerOf[link.upper] + 1, layerOf[link.lower] - 1)
      guard first <= last else { continue }
      let kind = link.isReversed ? 1 : 0
      if let trunk = trunkOf[link.upper][kind] {
        trunks[trunk].layers = first...max(last, trunks[trunk].layers.upperBound)
        links[index].trunk = trunk
      } else {
        trunkOf[link.upper][kind] = trunks.count
        links[index].trunk = trunks.count
        trunks.append(Trunk(top: link.upper, layers: first...last))
      }
    }
  }

  /// Creates vertices for the shortest trunks, up to a limit.
  private mutating func makeVertices(atMost limit: Int) {
    let byLength = trunks.indices.sorted {
      (trunks[$0].layers.count, $0) < (trunks[$1].layers.count, $1)
    }
    var total = 0
    for trunk in byLength {
      total += trunks[trunk].layers.count
      guard total <= limit else { break }
      trunks[trunk].firstVertex = layerOf.count
      layerOf.append(contentsOf: trunks[trunk].layers)
    }
  }

  private mutating func makeSegments() {
    for trunk in trunks {
      guard let first = trunk.firstVertex else { continue }
      addSegment(from: trunk.top, to: first)
      for vertex in first..<(first + trunk.layers.count - 1) {
        addSegment(from: vertex, to: vertex + 1)
      }
    }
    let direct = links.indices.filter { links[$0].trunk == nil }
    addDistinctSegments(direct.map { (links[$0].upper, links[$0].lower) })
    addDistinctSegments(
      links.compactMap { link in
        lastPassage(of: link).map { ($0, link.lower) }
      })
  }

  private mutating func addSegment(from upper: Int, to lower: Int) {
    segmentUpper.append(upper)
    segmentLower.append(lower)
  }

  private mutating func addDistinctSegments(_ pairs: [(upper: Int, lower: Int)]) {
    let lowers = Adjacency(
      count: count, keys: pairs.map(\.upper), values: pairs.map(\.lower))
    var lastUpper = [Int](repeating: -1, count: nodeCount)
    for upper in 0..<count {
      for lower in lowers[upper] where lastUpper[lower] != upper {
        lastUpper[lower] = upper
        addSegment(from: upper, to: lower)
      }
    }
  }

  /// The vertex where an edge leaves its trunk; `nil` without a trunk, and if the trunk bypasses
  /// the layers.
  private func lastPassage(of link: Link) -> Int? {
    guard let trunk = link.trunk, let first = trunks[trunk].firstVertex else { return nil }
    return first + layerOf[link.lower] - 1 - trunks[trunk].layers.lowerBound
  }
}
