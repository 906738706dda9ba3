/// The nodes in their layers, and vertices where edges pass a layer: every segment leads from one layer to the next.
///
/// Edges that leave a node for distant layers share a trunk, a vertex in each layer that it passes. Trunks that would take too
/// many vertices get none: they go round the layers.
struct LayeredVertices {
  /// An edge with its upper end first.
  struct Link {
    var upper: Int
    var lower: Int
    /// Whether its source is the lower one.
    var isReversed: Bool
    /// The trunk that it follows, if it passes a layer.
    var trunk: Int?
  }

  /// What edges from one node have in common.
  struct Trunk {
    /// The node where it begins.
    var top: Int
    /// The layers that it passes.
    var layers: ClosedRange<Int>
    /// Its vertex in the first of these layers, with the others behind; `nil` if it goes round.
    var firstVertex: Int?
  }

  /// The edges.
  private(set) var links: [Link] = []
  private(set) var trunks: [Trunk] = []
  /// The layer of each vertex; the nodes come first.
  private(set) var layerOf: [Int]
  let nodeCount: Int
  let layerCount: Int
  /// The upper and the lower vertex of each segment; edges side by side are one.
  private(set) var segmentUpper: [Int] = []
  private(set) var segmentLower: [Int] = []

  /// How many vertices there are.
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

  /// One trunk for all edges down from a node, and one for those that were turned round.
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

  /// Vertices for the shortest trunks, as many as there may be.
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

  /// The vertex where an edge leaves its trunk for its lower end; `nil` without a trunk, and of one that goes round.
  private func lastPassage(of link: Link) -> Int? {
    guard let trunk = link.trunk, let first = trunks[trunk].firstVertex else { return nil }
    return first + layerOf[link.lower] - 1 - trunks[trunk].layers.lowerBound
  }
}
