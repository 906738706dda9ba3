import ModelIR
import Operators

/// Constants, and operations that generate them.
///
/// Source: onnx/docs/Operators.md.
enum ONNXConstant: ONNXOperation {
  static let names = ["Constant", "ConstantOfShape", "Range"]
  static let refused = ["sparse values and texts", "sizes that follow from what is fed"]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "Constant": return [.constant(try constant(node, graph))]
    case "ConstantOfShape":
      var (number, type) = (0.0, GraphElement.float32)
      if case .tensor(let tensor) = node.node.attributes["value"] {
        let constant = try tensor.constant(named: graph.node)
        (number, type) = (try constant.numbers().first ?? 0, constant.type)
      }
      let sizes = try node.constant(0)
      let one = GraphConstant([number], shape: [], type: type, path: graph.node)
      if let table = try graph.repeated(one, to: sizes, isTiled: false) { return [.value(table)] }
      return [
        .constant(
          try .filled(number, shape: sizes.integers(), type: type, at: graph.node))
      ]
    case "Range":
      return [
        .constant(
          try .range(
            from: node.constant(0), to: node.constant(1), by: node.constant(2), at: graph.node))
      ]
    default: throw .unknownOperation(node.operation)
    }
  }

  private static func constant(
    _ node: MappedONNXNode, _ graph: GraphBuilder
  ) throws(NetconvError) -> GraphConstant {
    let path = graph.node
    for (key, value) in node.node.attributes {
      switch (key, value) {
      case ("value", .tensor(let tensor)):
        return try tensor.constant(named: node.node.outputs.first ?? path)
      case ("value_float", .number(let number)):
        return GraphConstant([Double(number)], shape: [], type: .float32, path: path)
      case ("value_int", .integer(let number)):
        return GraphConstant([Double(number)], shape: [], type: .number(.int64), path: path)
      case ("value_floats", .numbers(let numbers)):
        return GraphConstant(
          numbers.map { Double($0) }, shape: [numbers.count], type: .float32, path: path)
      case ("value_ints", .integers(let numbers)):
        return GraphConstant(
          numbers.map { Double($0) }, shape: [numbers.count], type: .number(.int64), path: path)
      default: continue
      }
    }
    throw .constWithoutValue
  }
}
