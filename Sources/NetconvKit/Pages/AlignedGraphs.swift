import ModelIR
import Pages

/// The graphs of two models as one, in which a layer that both have is a single node.
struct AlignedGraphs: Sendable, Encodable {
  /// All nodes: first those of A, then those that only B has.
  let graph: PageGraph
  /// The names in B of nodes that have another name in the graph, by index of the node.
  let renamed: [String: String]
  /// Edges that only A has, by the indices of their nodes.
  let onlyInA: [[Int]]
  /// Edges that only B has, by the indices of their nodes.
  let onlyInB: [[Int]]
  /// The node indices of A's inputs and layers, by name.
  let placesOfA: [String: Int]
  /// The node indices of B's inputs and layers, by name.
  let placesOfB: [String: Int]

  private enum CodingKeys: String, CodingKey {
    case graph
    case renamed
    case onlyInA
    case onlyInB
  }

  /// Aligns two models.
  ///
  /// - Parameter names: the names in B of inputs and layers of A; no two are the same.
  init(_ a: Model, _ b: Model, names: [String: String]) {
    let (a, b) = (a.separated, b.separated)
    let (ofA, ofB) = (PageGraph.nodes(of: a), PageGraph.nodes(of: b))
    let placesOfA = Dictionary(uniqueKeysWithValues: ofA.enumerated().map { ($1.name, $0) })
    var placesOfB: [String: Int] = [:]
    for (name, other) in names { placesOfB[other] = placesOfA[name] }
    var renamed: [String: String] = [:]
    var nodes = ofA.enumerated().map { place, node in
      let other = names[node.name]
      if let other, other != node.name { renamed[String(place)] = other }
      return PageGraph.Node(
        name: node.name, type: node.type, shape: node.shape, side: other == nil ? "a" : nil)
    }
    for node in ofB where placesOfB[node.name] == nil {
      placesOfB[node.name] = nodes.count
      var name = node.name
      if placesOfA[name] != nil {
        // If both use a name for different layers, that of B is marked.
        name += " (B)"
        renamed[String(nodes.count)] = node.name
      }
      nodes.append(PageGraph.Node(name: name, type: node.type, shape: node.shape, side: "b"))
    }
    let edges = (
      a: PageGraph.edges(of: a, between: placesOfA), b: PageGraph.edges(of: b, between: placesOfB)
    )
    let ofBoth = Set(edges.a).intersection(edges.b)
    self.placesOfA = placesOfA
    self.placesOfB = placesOfB
    self.renamed = renamed
    onlyInA = edges.a.filter { !ofBoth.contains($0) }.map { [$0.from, $0.to] }
    onlyInB = edges.b.filter { !ofBoth.contains($0) }.map { [$0.from, $0.to] }
    graph = PageGraph(nodes: nodes, edges: edges.a + edges.b.filter { !ofBoth.contains($0) })
  }
}
