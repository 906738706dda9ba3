import ModelIR

/// Products of matrices.
///
/// Source: coremltools, converters/mil/mil/ops/defs/iOS15/linear.py.
enum CoreMLProduct: CoreMLOperationKind {
  static let names = ["einsum", "linear", "matmul"]

  static func write(
    _ operation: MappedCoreMLOperation, to nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    switch operation.type {
    case "einsum": try einsum(operation, &nodes)
    case "linear": try linear(operation, &nodes)
    case "matmul": try matmul(operation, &nodes)
    default: throw .unknownOperation(operation.type, reading: [])
    }
  }

  private static func linear(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let (x, weight) = (try operation.input("x"), try operation.input("weight"))
    let bias = operation.optional("bias")
    if nodes.shape(of: x)?.count == 2 {
      nodes.node(
        "Gemm", [x, weight] + [bias].compactMap(\.self), ["transB": .integer(1)],
        to: [operation.output])
      return
    }
    let kernel = nodes.node("Transpose", [weight], ["perm": .integers([1, 0])])
    guard let bias else {
      nodes.node("MatMul", [x, kernel], to: [operation.output])
      return
    }
    nodes.node("Add", [nodes.node("MatMul", [x, kernel]), bias], to: [operation.output])
  }

  private static func matmul(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let x = try matrix("x", operation, &nodes)
    let y = try matrix("y", operation, &nodes)
    nodes.node("MatMul", [x, y], to: [operation.output])
  }

  /// Returns an operand with its last axes exchanged, if the operation says so.
  private static func matrix(
    _ parameter: String, _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) -> String {
    let name = try operation.input(parameter)
    guard try operation.flag("transpose_\(parameter)") else { return name }
    guard let rank = nodes.shape(of: name)?.count, rank > 1 else {
      throw .unreadUse("a transposed vector")
    }
    let order = Array(0..<rank - 2) + [rank - 1, rank - 2]
    return nodes.node("Transpose", [name], ["perm": .integers(order)])
  }

  private static func einsum(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    nodes.node(
      "Einsum", operation.list("values"),
      ["equation": .text(try operation.text("equation", ""))], to: [operation.output])
  }
}
