import ModelIR
import Operators

/// Indices of extreme values, and one-hot encodings.
///
/// Source: onnx/docs/Operators.md; opset 12 for `select_last_index`, opset 13 for the axes of Hardmax, opsets 10 and 11
/// for TopK.
enum ONNXIndices: ONNXOperation {
  static let names = ["ArgMax", "ArgMin", "Hardmax", "OneHot", "TopK"]
  static let operators: [any Operator.Type] = [
    ArgReduce.self, Constant.self, Pairwise.self, Reduce.self, TopK.self, Where.self,
  ]
  static let refused = ["the batch's axis", "axes of open size"]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "Hardmax":
      let input = try node.value(0)
      guard node.opset < 13 else {
        return [try graph.hardmax(input, along: node.integer("axis", default: -1))]
      }
      // All axes from this one on are flattened.
      let axis = try resolvedAxis(node.integer("axis", default: 1), rank: input.rank)
      guard axis == input.rank - 1 else { throw .unreadUse("Hardmax over several axes") }
      return [try graph.hardmax(input, along: axis)]
    case "TopK":
      guard let count = try node.integers("k", orInput: 1)?.first ?? node.integer("k") else {
        throw .missingAttribute("k")
      }
      return try graph.topK(
        node.value(0), count: count, along: node.integer("axis", default: -1),
        takesSmallest: !node.flag("largest", default: true))
    case "OneHot":
      let indices = try node.value(0)
      guard let depth = try node.constant(1).scalar(), let count = Int(exactly: depth), count > 0
      else { throw .wrongSlice }
      let ends = try node.constant(2)
      guard ends.count == 2 else { throw .wrongRankOfConstant(ends.shape, expected: 1) }
      let numbers = try ends.numbers()
      let ones = try graph.oneHot(
        indices, count: count, along: node.integer("axis", default: -1), countsFromEnd: true)
      if numbers == [0, 1] { return [ones] }
      return [try graph.apply(.select, [ones, .number(numbers[1]), .number(numbers[0])])]
    default:
      return [
        .value(
          try graph.argReduce(
            node.operation == "ArgMax" ? .maximum : .minimum, node.value(0),
            along: node.integer("axis", default: 0),
            keepDimensions: node.flag("keepdims", default: true),
            takesLast: node.flag("select_last_index")))
      ]
    }
  }
}
