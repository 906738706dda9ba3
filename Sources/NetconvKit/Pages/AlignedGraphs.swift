import ModelIR
import Pages

/// The graphs of two models as one: a layer that both have is one node.
struct AlignedGraphs: Sendable, Encodable {
  /// All nodes: those of A, then those that only B has.
  let graph: PageGraph
  /// What B calls nodes that have another name in the graph, by the index of the node.
  let renamed: [String: String]
  /// Connections that only A has, by the indices of their nodes.
  let onlyInA: [[Int]]
  /// Connections that only B has.
  let onlyInB: [[Int]]
  /// The nodes of A's inputs and layers, by their names.
  let placesOfA: [String: Int]
  /// The nodes of B's inputs and layers, by their names.
  let placesOfB: [String: Int]

  private enum CodingKeys: String, CodingKey {
    case graph
    case renamed
    case onlyInA
    case onlyInB
  }

  /// Aligns two models.
  ///
  /// - Parameter names: what inputs and layers of A are called in B; no two of them the same.
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
        // A name that both have, for different layers, is told apart.
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
