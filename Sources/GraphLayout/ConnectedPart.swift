/// Nodes that edges join, whichever way the edges go.
struct ConnectedPart {
  /// The nodes, in the graph's order.
  private(set) var nodes: [Int] = []
  /// The edges, in the graph's order.
  private(set) var edges: [Int] = []
  /// The edges with places in `nodes`.
  private(set) var localEdges: [DirectedGraph.Edge] = []

  /// The parts of a graph, in the order of their first nodes; edges with a node that does not exist are in none.
  static func parts(of graph: DirectedGraph) -> [ConnectedPart] {
    let nodes = graph.nodes.indices
    let edges = graph.edges.indices.filter {
      nodes.contains(graph.edges[$0].source) && nodes.contains(graph.edges[$0].target)
    }
    var union = DisjointSets(count: nodes.count)
    for edge in edges { union.join(graph.edges[edge].source, graph.edges[edge].target) }

    var parts: [ConnectedPart] = []
    var partOfSet = [Int](repeating: -1, count: nodes.count)
    var partOfNode: [Int] = []
    var localIndex: [Int] = []
    for node in nodes {
      let set = union.representative(of: node)
      if partOfSet[set] < 0 {
        partOfSet[set] = parts.count
        parts.append(ConnectedPart())
      }
      let part = partOfSet[set]
      partOfNode.append(part)
      localIndex.append(parts[part].nodes.count)
      parts[part].nodes.append(node)
    }
    for edge in edges {
      let (source, target) = (graph.edges[edge].source, graph.edges[edge].target)
      let part = partOfNode[source]
      parts[part].edges.append(edge)
      parts[part].localEdges.append(.init(from: localIndex[source], to: localIndex[target]))
    }
    return parts
  }
}

/// Sets of whole numbers from zero on that are joined two at a time.
private struct DisjointSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  /// The number that stands for the set of `element`, the least in it.
  mutating func representative(of element: Int) -> Int {
    var element = element
    while parents[element] != element {
      parents[element] = parents[parents[element]]
      element = parents[element]
    }
    return element
  }

  mutating func join(_ first: Int, _ second: Int) {
    let (a, b) = (representative(of: first), representative(of: second))
    parents[max(a, b)] = min(a, b)
  }
}
