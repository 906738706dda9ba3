import ModelIR
import Operators

/// Gathers of rows by index, which is an embedding, or of values.
///
/// Source: tensorflow/core/ops/array_ops.cc, `GatherNd` and `GatherV2`; resource_variable_ops.cc, `ResourceGather`.
enum GraphGather: GraphOperation {
  static let names = ["Gather", "GatherNd", "GatherV2", "ResourceGather"]
  static let operators: [any Operator.Type] = [
    Concatenate.self, Cropping1D.self, Cropping2D.self, Embedding.self, Gather.self, Slice.self,
  ]
  static let folded = ["Gather", "GatherV2"]
  static let refused = [
    "indices that are computed, unless each sample has its own, or the batch is 1"
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let axis = node.operation == "GatherV2" ? try node.constant(2).integers().first ?? 0 : 0
    if node.operation == "GatherNd" {
      return [try graph.gatherSlices(node.value(0), at: node.input(1), batchAxes: 0)]
    }
    let batchAxes = node.integer("batch_dims", default: 0)
    guard batchAxes == 0 else {
      guard batchAxes == 1, axis == 1 else {
        throw .unknownSetting("batch_dims", "\(batchAxes)", known: ["0", "1 along the axis 1"])
      }
      return [try graph.gather(node.value(0), at: node.value(1), along: axis, perSample: true)]
    }
    return [try graph.gather(Array(node.inputs.prefix(2)), along: axis)]
  }
}
