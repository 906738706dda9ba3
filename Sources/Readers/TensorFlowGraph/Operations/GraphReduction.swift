import ModelIR
import Operators

/// Means and maxima over places, and sums of squares in a normalisation.
///
/// Source: tensorflow/core/ops/math_ops.cc, `Mean`, `Max` and `Sum`.
enum GraphReduction: GraphOperation {
  static let names = ["Max", "Mean", "Sum"]
  static let operators: [any Operator.Type] = [
    GlobalAveragePooling1D.self, GlobalAveragePooling2D.self, GlobalMaxPooling1D.self,
    GlobalMaxPooling2D.self, UnitNormalization.self,
  ]
  static let refused = ["other axes than all places of images and sequences", "Sum alone"]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.sample(0)
    let axes = try node.axes(1, rank: input.rank).sorted()
    let keeps = node.flag("keep_dims", default: node.flag("keepdims", default: false))
    guard axes.first ?? 1 > 0 else { throw .batchAxis }
    let own = axes.map { $0 - 1 }
    if node.operation == "Sum" { return [.value(try sum(input, own, keeps, node, &graph))] }
    let isMean = node.operation == "Mean"
    switch (input.shape.rank, own) {
    case (3, [0, 1]), (3, [1, 2]):
      return [
        .value(
          try graph.draft(
            isMean
              ? GlobalAveragePooling2D(keepDimensions: keeps)
              : GlobalMaxPooling2D(keepDimensions: keeps), [input],
            axes: own == [0, 1] ? .counted(moved: nil) : .channelsFirst))
      ]
    case (2, [0]), (2, [1]):
      return [
        .value(
          try graph.draft(
            isMean
              ? GlobalAveragePooling1D(keepDimensions: keeps)
              : GlobalMaxPooling1D(keepDimensions: keeps), [input],
            axes: own == [0] ? .counted(moved: nil) : .channelsFirst))
      ]
    default: throw .otherAxes(own.map { $0 + 1 }, rank: input.rank)
    }
  }

  /// A sum, which is only read of squares that a value is divided by the root of.
  private static func sum(
    _ input: GraphValue, _ axes: [Int], _ keeps: Bool, _ node: MappedNode,
    _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    guard keeps else { throw .noLayer("Sum") }
    var dimensions = input.shape.dimensions
    for axis in axes { dimensions[axis] = 1 }
    return graph.draft(
      GraphExpression(operation: "Sum", operands: [.value(input.draft)], axes: axes),
      shape: Shape(dimensions), merged: 0, problem: .noLayer("Sum"))
  }
}
