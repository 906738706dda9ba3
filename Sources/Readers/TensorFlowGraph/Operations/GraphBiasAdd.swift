import ModelIR
import Operators

/// The addition of a bias per channel.
///
/// Source: tensorflow/core/ops/nn_ops.cc, `BiasAdd`.
enum GraphBiasAdd: GraphOperation {
  static let names = ["BiasAdd", "BiasAddV1"]
  static let operators: [any Operator.Type] = [BatchNormalization.self]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let value = try node.value(0)
    let bias = try node.constant(1)
    let isFirst = try node.isChannelsFirst() && value.rank > 2
    guard bias.shape.count == 1 else { throw .wrongRankOfConstant(bias.shape, expected: 1) }
    return [
      .value(
        try graph.add(
          bias, to: value, isFirst ? .channelsFirst : .counted(moved: nil),
          isFirst
            ? nil
            : GraphExpression(.add, [.value(value.draft), .vector(bias)])))
    ]
  }
}
