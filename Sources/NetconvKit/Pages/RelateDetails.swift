import ModelIR
import Readers
import Relations

/// What a page shows of a relation besides its report.
struct RelateDetails: Sendable, Encodable {
  /// Both graphs as one; `nil` unless both are known.
  let graphs: AlignedGraphs?
  /// The node of the layer of each tensor of B, in the order of the report's; none without a graph.
  let nodes: [Int?]
  /// The node of the layer of each tensor of A that is not used, in the order of the report's.
  let unusedNodes: [Int?]

  /// Aligns the graphs by what `relations` says of tensors, and by what layers compute.
  init(_ relations: WeightRelations, from a: ReadSource, to b: ReadSource) {
    guard case .model(let first) = a.network, case .model(let second) = b.network else {
      (graphs, nodes, unusedNodes) = (nil, [], [])
      return
    }
    let (ofA, ofB) = (a.network.tensors, b.network.tensors)
    let comparison = GraphComparison(first, second, layers: Self.layers(relations, ofA, ofB))
    let graphs = AlignedGraphs(first, second, names: comparison.names)
    self.graphs = graphs
    nodes = relations.tensors.map { graphs.placesOfB[ofB[$0.tensor].layer] }
    unusedNodes = relations.unused.map { graphs.placesOfA[ofA[$0.tensor].layer] }
  }

  /// What layers of A are called in B, where tensors tell it: the first that came from a layer, and no layer twice.
  private static func layers(
    _ relations: WeightRelations, _ a: [Tensor], _ b: [Tensor]
  ) -> [String: String] {
    var names: [String: String] = [:]
    var taken: Set<String> = []
    for relation in relations.tensors {
      guard case .related(let parts) = relation.outcome,
        let source = parts.lazy.compactMap(\.source).first
      else { continue }
      let (from, to) = (a[source].layer, b[relation.tensor].layer)
      guard names[from] == nil, taken.insert(to).inserted else { continue }
      names[from] = to
    }
    return names
  }
}
