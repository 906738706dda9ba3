import ModelIR

/// Constants, and the shapes of values, which are constant but for the batch.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Const`, `Shape`, `ShapeN`, `Rank` and `Size`.
enum GraphShapes: GraphOperation {
  static let names = [
    "AutoReloadVariable", "Const", "Rank", "Shape", "ShapeN", "Size", "VarHandleOp",
    "Variable", "VariableV2",
  ]
  static let refused = ["shapes with other open sizes than the batch"]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "Const": return [try constant(node)]
    case "ShapeN":
      return try node.inputs.indices.map { index throws(NetconvError) in
        .constant(try shape(node, index))
      }
    case "Shape": return [.constant(try shape(node, 0))]
    case "Rank":
      let rank = try shape(node, 0).count
      return [.constant(GraphConstant([Double(rank)], shape: [], type: .int32, path: node.name))]
    case "Size":
      let sizes = try shape(node, 0)
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
    guard let source = tensor.source else { throw .noNumbers(tensor.type.description) }
    return .constant(
      GraphConstant(type: tensor.type, shape: tensor.shape, name: node.name, source: source))
  }

  /// The sizes of an input, of which the first counts the batch.
  private static func shape(_ node: MappedNode, _ index: Int) throws(NetconvError) -> GraphConstant
  {
    guard node.inputs.indices.contains(index) else { throw .missingOperand(index, node.operation) }
    let type = node.type("out_type") ?? .int32
    switch node.inputs[index] {
    case .constant(let constant):
      return GraphConstant(
        constant.shape.map { Double($0) }, shape: [constant.shape.count], type: type,
        path: node.name)
    case .value(let value):
      guard let sizes = value.shape.known else { throw .openSize(value.shape) }
      let times = Double(sizes.prefix(value.merged).reduce(1, *))
      let own = sizes.dropFirst(value.merged).map { Double($0) }
      return GraphConstant(
        [0] + own, shape: [own.count + 1], type: type, batches: [times] + own.map { _ in 0 },
        path: node.name)
    default: throw .unknownOperation(node.operation)
    }
  }
}
