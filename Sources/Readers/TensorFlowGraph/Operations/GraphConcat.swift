import ModelIR
import Operators

/// Concatenations, and stacks along a new axis.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Concat`, `ConcatV2`, `Pack` and `Unpack`.
enum GraphConcat: GraphOperation {
  static let names = ["Concat", "ConcatV2", "Pack", "Unpack"]
  static let operators: [any Operator.Type] = [Concatenate.self]
  static let folded = names
  static let refused = ["constants beside values", "the batch's axis", "Pack and Unpack of values"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let count = node.inputs.count
    let axis = node.integer("axis", default: 0)
    switch node.operation {
    case "Pack":
      guard let parts = node.inputs.constants else { throw .unknownOperation(node.operation) }
      return [.constant(try .stacked(parts, along: axis, at: node.name))]
    case "Unpack":
      guard case .constant(let whole) = try node.input(0) else {
        throw .unknownOperation(node.operation)
      }
      let along = try resolvedAxis(axis, rank: whole.shape.count)
      return try whole.unstacked(along: along, at: node.name).map { .constant($0) }
    default:
      let isOld = node.operation == "Concat"
      let parts = isOld ? node.inputs.dropFirst() : node.inputs.dropLast()
      guard let axis = try node.constant(isOld ? 0 : count - 1).integers().first else {
        throw .missingOperand(count - 1, node.operation)
      }
      return [try graph.concatenate(Array(parts), along: axis)]
    }
  }
}
