import ModelIR
import Operators

/// Indices of extreme values, and one-hot encodings.
///
/// Source: tensorflow/core/ops/math_ops.cc, `ArgMax`; array_ops.cc, `OneHot`; nn_ops.cc, `TopKV2`.
enum GraphIndices: GraphOperation {
  static let names = ["ArgMax", "ArgMin", "OneHot", "TopKV2"]
  static let operators: [any Operator.Type] = [
    ArgReduce.self, Constant.self, Pairwise.self, TopK.self, Where.self,
  ]
  static let refused = ["the batch's axis"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.value(0)
    guard let number = try node.constant(1).scalar(), let integer = Int(exactly: number) else {
      throw .wrongSlice
    }
    if node.operation == "TopKV2" {
      return try graph.topK(input, count: integer, along: -1, takesSmallest: false)
    }
    guard node.operation == "OneHot" else {
      return [
        .value(
          try graph.argReduce(
            node.operation == "ArgMax" ? .maximum : .minimum, input, along: integer,
            keepDimensions: false))
      ]
    }
    guard integer > 0 else { throw .wrongSlice }
    let ones = try graph.oneHot(
      input, count: integer, along: node.integer("axis", default: -1), countsFromEnd: false)
    guard let on = try node.constant(2).scalar(), let off = try node.constant(3).scalar() else {
      throw .wrongRankOfConstant([], expected: 0)
    }
    if on == 1, off == 0 { return [ones] }
    return [try graph.apply(.select, [ones, .number(on), .number(off)])]
  }
}
