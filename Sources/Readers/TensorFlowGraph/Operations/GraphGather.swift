import ModelIR
import Operators

/// Vectors by number: an embedding.
///
/// Source: tensorflow/core/ops/array_ops.cc, `GatherV2`; resource_variable_ops.cc, `ResourceGather`.
enum GraphGather: GraphOperation {
  static let names = ["Gather", "GatherV2", "ResourceGather"]
  static let operators: [any Operator.Type] = [Embedding.self]
  static let refused = ["a part of a value at computed places"]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    let table = try node.constant(0)
    var indices = try node.value(1)
    if let cast = graph.drafts[indices.draft].expression, cast.operation == "Cast",
      case .value(let draft)? = cast.operands.first
    {
      indices = GraphValue(draft: draft, shape: indices.shape, merged: indices.merged)
    }
    let axis = node.operation == "GatherV2" ? try node.constant(2).integers().first ?? 0 : 0
    guard table.shape.count == 2, axis == 0, node.integer("batch_dims", default: 0) == 0 else {
      throw .wrongRankOfConstant(table.shape, expected: 2)
    }
    return [
      .value(
        try graph.draft(
          Embedding(count: table.shape[0], outputChannels: table.shape[1]), [indices],
          [.kernel: GraphDraft.Parameter(constant: table, layout: .io)], merged: indices.merged))
    ]
  }
}
