import ModelIR
import Operators

/// Sums, means, maxima and their kin: poolings of all places, moments of normalisations, and any others.
///
/// Source: tensorflow/core/ops/math_ops.cc, `Mean`, `Max`, `Min`, `Prod` and `Sum`.
enum GraphReduction: GraphOperation {
  static let names = functions.keys.sorted()
  static let operators: [any Operator.Type] = [
    GlobalAveragePooling1D.self, GlobalAveragePooling2D.self, GlobalMaxPooling1D.self,
    GlobalMaxPooling2D.self, GroupNormalization.self, LayerNormalization.self,
    RMSNormalization.self, Reduce.self, UnitNormalization.self,
  ]
  static let refused = ["the batch's axis", "all axes of a sample, unless they are kept"]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.sample(0)
    let axes = try node.axes(1, rank: input.rank).sorted()
    let keeps = node.flag("keep_dims", default: node.flag("keepdims", default: false))
    guard axes.first ?? 1 > 0 else { throw .batchAxis }
    let own = axes.map { $0 - 1 }
    let isMean = node.operation == "Mean"
    let expression = GraphExpression(
      operation: node.operation, operands: [.value(input.draft)], axes: own)
    let isPooling = isMean || node.operation == "Max"
    switch (input.shape.rank, own) {
    case (3, [0, 1]) where isPooling, (3, [1, 2]) where isPooling:
      return [
        .value(
          try graph.draft(
            isMean
              ? GlobalAveragePooling2D(keepDimensions: keeps)
              : GlobalMaxPooling2D(keepDimensions: keeps), [input],
            axes: own == [0, 1] ? .counted(moved: nil) : .channelsFirst,
            expression: keeps ? expression : nil))
      ]
    case (2, [0]) where isPooling:
      return [
        .value(
          try graph.draft(
            isMean
              ? GlobalAveragePooling1D(keepDimensions: keeps)
              : GlobalMaxPooling1D(keepDimensions: keeps), [input],
            expression: keeps ? expression : nil))
      ]
    default:
      return [.value(try reduced(input, own, keeps, expression, node, &graph))]
    }
  }

  /// Any other reduction, which may also be a part of a normalisation.
  private static func reduced(
    _ input: GraphValue, _ axes: [Int], _ keeps: Bool, _ expression: GraphExpression,
    _ node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    guard let function = functions[node.operation] else { throw .noLayer(node.operation) }
    guard keeps || axes.count < input.shape.rank else { throw .nothingLeft }
    if axes.isEmpty { return input }
    return try graph.draft(
      Reduce(function, axes: AxisList(axes), keepDimensions: keeps), [input],
      expression: keeps ? expression : nil)
  }

  private static let functions: [String: Reduce.Function] = [
    "Max": .maximum, "Mean": .mean, "Min": .minimum, "Prod": .product, "Sum": .sum,
  ]
}
