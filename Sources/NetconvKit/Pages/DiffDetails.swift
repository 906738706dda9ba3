import ModelIR
import Pages

/// What a page shows of a comparison of two networks besides its report.
struct DiffDetails: Sendable, Encodable {
  /// Tensors of which it is shown where they differ, at most.
  static let mapLimit = 200

  /// Both graphs as one, aligned by what is in them; `nil` unless both are known.
  let graph: PageGraph?
  /// Of the graph's nodes that both have, what B calls those that have another name there, by the index of the node.
  let renamed: [String: String]
  /// Connections that only A has, by the indices of their nodes.
  let onlyInA: [[Int]]
  /// Connections that only B has.
  let onlyInB: [[Int]]
  /// Where tensors differ, in the order of the report's; `nil` where they are equal.
  let maps: [ChangeMap?]

  init(
    _ a: Model?, _ b: Model?, names: [String: String], maps: [ChangeMap?]
  ) {
    self.maps = maps
    guard let a, let b else {
      (graph, renamed, onlyInA, onlyInB) = (nil, [:], [], [])
      return
    }
    let ofA = Self.nodes(a)
    let ofB = Self.nodes(b)
    var places = (
      a: Dictionary(uniqueKeysWithValues: ofA.enumerated().map { ($1.name, $0) }),
      b: [String: Int]()
    )
    for (name, other) in names { places.b[other] = places.a[name] }
    var renamed: [String: String] = [:]
    var nodes = ofA.map { node in
      let other = names[node.name]
      if let other, other != node.name, let place = places.a[node.name] {
        renamed[String(place)] = other
      }
      return PageGraph.Node(
        name: node.name, type: node.type, shape: node.shape, side: other == nil ? "a" : nil)
    }
    for node in ofB where places.b[node.name] == nil {
      places.b[node.name] = nodes.count
      // A name that both have, for different layers, is told apart.
      let name = places.a[node.name] == nil ? node.name : node.name + " (B)"
      nodes.append(PageGraph.Node(name: name, type: node.type, shape: node.shape, side: "b"))
    }
    let edges = (a: Self.edges(a, places.a), b: Self.edges(b, places.b))
    let common = Set(edges.a).intersection(edges.b)
    self.renamed = renamed
    onlyInA = edges.a.filter { !common.contains($0) }.map { [$0.from, $0.to] }
    onlyInB = edges.b.filter { !common.contains($0) }.map { [$0.from, $0.to] }
    graph = PageGraph(nodes: nodes, edges: edges.a + edges.b.filter { !common.contains($0) })
  }

  private static func nodes(_ model: Model) -> [PageGraph.Node] {
    model.inputs.map {
      PageGraph.Node(name: $0.name, type: "Input", shape: $0.shape.description)
    }
      + model.layers.map {
        PageGraph.Node(
          name: $0.name, type: type(of: $0.operation).name, shape: $0.outputShape.description)
      }
  }

  private static func edges(_ model: Model, _ places: [String: Int]) -> [PageGraph.Edge] {
    model.layers.flatMap { layer in
      layer.inputs.compactMap { input in
        places[input].flatMap { from in
          places[layer.name].map { PageGraph.Edge(from: from, to: $0) }
        }
      }
    }
  }
}
