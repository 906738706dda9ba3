import ModelIR

/// Constants, and the shapes of values, which are constant except for the batch size.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Const`, `Shape`, `ShapeN`, `Rank` and `Size`.
enum GraphShapes: GraphOperation {
  static let names = [
    "AutoReloadVariable", "Const", "Rank", "Shape", "ShapeN", "Size", "VarHandleOp",
    "Variable", "VariableV2",
  ]
  static let refused = ["shapes with other open sizes than the batch"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "Const": return [try constant(node)]
    case "ShapeN":
      return try node.inputs.indices.map { [graph] index throws(NetconvError) in
        .constant(try shape(node, index, graph))
      }
    case "Shape": return [.constant(try shape(node, 0, graph))]
    case "Rank":
      let rank = try shape(node, 0, graph).count
      return [.constant(GraphConstant([Double(rank)], shape: [], type: .int32, path: node.name))]
    case "Size":
      let sizes = try shape(node, 0, graph)
      let numbers = try sizes.numbers()
      let batch = sizes.batches?.first ?? 0
      let rest = numbers.dropFirst(batch == 0 ? 0 : 1).reduce(1, *)
      return [
        .constant(
          GraphConstant(
            [batch == 0 ? rest : 0], shape: [], type: .int32, batches: [batch * rest],
            path: node.name))
      ]
    default: throw .variableWithoutValues
    }
  }

  private static func constant(_ node: MappedNode) throws(NetconvError) -> GraphResult {
    guard case .tensor(let tensor) = node.attributes["value"] else { throw .constWithoutValue }
    guard let source = tensor.source, let type = tensor.type.element else {
      throw .noNumbers(tensor.type.description)
    }
    return .constant(
      GraphConstant(type: type, shape: tensor.shape, name: node.name, source: source))
  }

  /// The shape of an input; its first size is that of the batch.
  private static func shape(
    _ node: MappedNode, _ index: Int, _ graph: GraphBuilder
  ) throws(NetconvError) -> GraphConstant {
    let type = node.type("out_type")?.element ?? .int32
    return try graph.shape(of: node.input(index), type: type)
  }
}
