import ModelIR
import Operators

/// Gathers of rows by index, which is an embedding, or of values at constant indices.
///
/// Source: tensorflow/core/ops/array_ops.cc, `GatherV2`; resource_variable_ops.cc, `ResourceGather`.
enum GraphGather: GraphOperation {
  static let names = ["Gather", "GatherV2", "ResourceGather"]
  static let operators: [any Operator.Type] = [
    Concatenate.self, Cropping1D.self, Cropping2D.self, Embedding.self, Slice.self,
  ]
  static let folded = ["Gather", "GatherV2"]
  static let refused = ["a part of a value at computed places"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let axis = node.operation == "GatherV2" ? try node.constant(2).integers().first ?? 0 : 0
    guard node.integer("batch_dims", default: 0) == 0 else {
      throw .wrongRankOfConstant(try node.constant(0).shape, expected: 2)
    }
    return [try graph.gather(Array(node.inputs.prefix(2)), along: axis)]
  }
}
