import ModelIR
import Operators

/// Operations that generate constants.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Fill`, `OnesLike` and `ZerosLike`; math_ops.cc, `Range`.
enum GraphFilling: GraphOperation {
  static let names = ["Fill", "OnesLike", "Range", "ZerosLike"]
  static let folded = names
  static let refused = ["sizes that follow from what is fed"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    guard node.inputs.constants != nil else { throw .unknownOperation(node.operation) }
    switch node.operation {
    case "Fill":
      let value = try node.constant(1)
      guard let number = try value.scalar() else { throw .wrongSlice }
      return [
        .constant(
          try .filled(
            number, shape: node.constant(0).integers(), type: value.type, at: node.name))
      ]
    case "Range":
      return [
        .constant(
          try .range(
            from: node.constant(0), to: node.constant(1), by: node.constant(2), at: node.name))
      ]
    default:
      return [try graph.apply(node.operation == "OnesLike" ? .one : .zero, node.inputs)]
    }
  }
}
