/// A connected component, whatever the direction of its edges.
struct ConnectedPart {
  /// The indices of the nodes, in the graph's order.
  private(set) var nodes: [Int] = []
  /// The indices of the edges, in the graph's order.
  private(set) var edges: [Int] = []
  /// The edges with indices into `nodes`.
  private(set) var localEdges: [DirectedGraph.Edge] = []

  /// The components of a graph in the order of their first nodes; edges with an invalid node are
  /// left out.
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

/// A union-find structure on integers.
private struct DisjointSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  /// The representative of the set of `element`, its smallest element.
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
