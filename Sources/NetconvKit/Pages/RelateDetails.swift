import ModelIR
import Readers
import Relations

/// The contents of a page about a relation, in addition to the report.
struct RelateDetails: Sendable, Encodable {
  /// The aligned graphs; `nil` unless both are known.
  let graphs: AlignedGraphs?
  /// For each tensor of B in the report's order, the node of its layer; empty without a graph.
  let nodes: [Int?]
  /// For each unused tensor of A in the report's order, the node of its layer.
  let unusedNodes: [Int?]

  /// Aligns the graphs by the relations of their tensors, and by their operators.
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

  /// Returns the names in B of layers of A, as far as tensors determine them: the first match for each layer, with no
  /// layer of B used twice.
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
