import ModelIR
import Operators

/// Batch normalisation as a single operation.
///
/// Source: tensorflow/core/ops/nn_ops.cc, `FusedBatchNormV3`; array_ops.cc, `BatchNormWithGlobalNormalization`.
enum GraphBatchNormalization: GraphOperation {
  static let names = [
    "BatchNormWithGlobalNormalization", "FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3",
  ]
  static let operators: [any Operator.Type] = [BatchNormalization.self]
  static let refused = ["is_training, where means are taken over what is fed"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try graph.sample(node.input(0))
    let isOld = node.operation == "BatchNormWithGlobalNormalization"
    // The old operation takes the mean and the variance before beta and gamma.
    let order = isOld ? [4, 3, 1, 2] : [1, 2, 3, 4]
    let isScaled = !isOld || node.flag("scale_after_normalization", default: false)
    guard isOld || !node.flag("is_training", default: true) else { throw .normalizesByBatch }
    var parameters: [ParameterRole: GraphDraft.Parameter] = [:]
    for (role, index) in zip([ParameterRole.gamma, .beta, .mean, .variance], order)
    where isScaled || role != .gamma {
      parameters[role] = GraphDraft.Parameter(constant: try node.constant(index), layout: nil)
    }
    let isFirst = isOld ? false : try node.isChannelsFirst()
    let epsilon = node.number(
      isOld ? "variance_epsilon" : "epsilon", default: Double(Float(0.0001)))
    let value = try graph.draft(
      BatchNormalization(epsilon: epsilon), [input], parameters,
      axes: isFirst ? .channelsFirst : .counted(moved: nil))
    return [.value(value)]
  }
}

extension NetconvError {
  fileprivate static var normalizesByBatch: NetconvError {
    NetconvError(
      .badData,
      "is_training is set: means are taken over what is fed; freeze the graph for inference")
  }
}
