import ModelIR
import Operators

/// Reversal of axes.
///
/// Source: tensorflow/core/ops/array_ops.cc, `ReverseV2`.
enum GraphReversal: GraphOperation {
  static let names = ["ReverseV2"]
  static let operators: [any Operator.Type] = [Slice.self]
  static let folded = names
  static let refused = ["the batch's axis"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let axes = try node.constant(1).integers()
    return [
      try graph.slice(node.input(0)) { shape throws(NetconvError) in
        let reversed = Set(try resolvedAxes(axes, rank: shape.count))
        var slice = StridedSlice(of: shape)
        for axis in shape.indices {
          if reversed.contains(axis) {
            try slice.take(from: nil, to: nil, by: -1)
          } else {
            try slice.takeAll()
          }
        }
        return slice
      }
    ]
  }
}
