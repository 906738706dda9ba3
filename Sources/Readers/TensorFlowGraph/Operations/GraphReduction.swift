import ModelIR
import Operators

/// Reductions: global pooling, moments of normalisations, and others.
///
/// Source: tensorflow/core/ops/math_ops.cc, `Mean`, `Max`, `Min`, `Prod` and `Sum`.
enum GraphReduction: GraphOperation {
  static let names = functions.keys.sorted()
  static let operators: [any Operator.Type] = [
    GlobalAveragePooling1D.self, GlobalAveragePooling2D.self, GlobalMaxPooling1D.self,
    GlobalMaxPooling2D.self, GroupNormalization.self, LayerNormalization.self,
    RMSNormalization.self, Reduce.self, UnitNormalization.self,
  ]
  static let folded = names
  static let refused = ["the batch's axis"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    guard let function = functions[node.operation] else { throw .noLayer(node.operation) }
    return [
      try graph.reduce(
        function, node.input(0), axes: node.constant(1).integers(),
        keepDimensions: node.flag("keep_dims", default: node.flag("keepdims", default: false)))
    ]
  }

  private static let functions: [String: Reduce.Function] = [
    "Max": .maximum, "Mean": .mean, "Min": .minimum, "Prod": .product, "Sum": .sum,
  ]
}
