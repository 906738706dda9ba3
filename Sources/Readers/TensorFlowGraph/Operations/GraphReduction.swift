import ModelIR
import Operators

/// Means and maxima over places, and the moments of normalisations.
///
/// Source: tensorflow/core/ops/math_ops.cc, `Mean`, `Max` and `Sum`.
enum GraphReduction: GraphOperation {
  static let names = ["Max", "Mean", "Sum"]
  static let operators: [any Operator.Type] = [
    GlobalAveragePooling1D.self, GlobalAveragePooling2D.self, GlobalMaxPooling1D.self,
    GlobalMaxPooling2D.self, GroupNormalization.self, LayerNormalization.self,
    RMSNormalization.self, UnitNormalization.self,
  ]
  static let refused = [
    "other axes than all places of images and sequences, but for normalisations of channels, layers and lengths"
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.sample(0)
    let axes = try node.axes(1, rank: input.rank).sorted()
    let keeps = node.flag("keep_dims", default: node.flag("keepdims", default: false))
    guard axes.first ?? 1 > 0 else { throw .batchAxis }
    let own = axes.map { $0 - 1 }
    if node.operation == "Sum" {
      return [.value(try moment(input, own, keeps, problem: .noLayer("Sum"), node, &graph))]
    }
    let isMean = node.operation == "Mean"
    let expression = GraphExpression(
      operation: node.operation, operands: [.value(input.draft)], axes: own)
    switch (input.shape.rank, own) {
    case (3, [0, 1]), (3, [1, 2]):
      return [
        .value(
          try graph.draft(
            isMean
              ? GlobalAveragePooling2D(keepDimensions: keeps)
              : GlobalMaxPooling2D(keepDimensions: keeps), [input],
            axes: own == [0, 1] ? .counted(moved: nil) : .channelsFirst,
            expression: keeps ? expression : nil))
      ]
    case (2, [0]):
      return [
        .value(
          try graph.draft(
            isMean
              ? GlobalAveragePooling1D(keepDimensions: keeps)
              : GlobalMaxPooling1D(keepDimensions: keeps), [input],
            expression: keeps ? expression : nil))
      ]
    default:
      let problem = NetconvError.otherAxes(own.map { $0 + 1 }, rank: input.rank)
      return [.value(try moment(input, own, keeps, problem: problem, node, &graph))]
    }
  }

  /// A sum or a mean that is only read as a part of a normalisation.
  private static func moment(
    _ input: GraphValue, _ axes: [Int], _ keeps: Bool, problem: NetconvError, _ node: MappedNode,
    _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    guard keeps else { throw problem }
    var dimensions = input.shape.dimensions
    for axis in axes { dimensions[axis] = 1 }
    return graph.draft(
      GraphExpression(operation: node.operation, operands: [.value(input.draft)], axes: axes),
      shape: Shape(dimensions), merged: 0, problem: problem)
  }
}
