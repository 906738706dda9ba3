import ModelIR
import Operators

/// Concatenations, and stacks along a new axis.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Concat`, `ConcatV2`, `Pack` and `Unpack`.
enum GraphConcat: GraphOperation {
  static let names = ["Concat", "ConcatV2", "Pack", "Unpack"]
  static let operators: [any Operator.Type] = [Concatenate.self]
  static let folded = names
  static let refused = ["the batch's axis"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let count = node.inputs.count
    let axis = node.integer("axis", default: 0)
    switch node.operation {
    case "Pack":
      if let parts = node.inputs.constants {
        return [.constant(try .stacked(parts, along: axis, at: node.name))]
      }
      return [try packed(node.inputs, along: axis, &graph)]
    case "Unpack": return try unpacked(node.input(0), along: axis, node, &graph)
    default:
      let isOld = node.operation == "Concat"
      let parts = isOld ? node.inputs.dropFirst() : node.inputs.dropLast()
      guard let axis = try node.constant(isOld ? 0 : count - 1).integers().first else {
        throw .missingOperand(count - 1, node.operation)
      }
      return [try graph.concatenate(Array(parts), along: axis)]
    }
  }

  /// Stacks values or constants along a new axis.
  private static func packed(
    _ parts: [GraphResult], along axis: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let ranks = Set(
      parts.compactMap { part in if case .value(let value) = part { value.rank } else { nil } })
    guard let rank = ranks.first, ranks.count == 1 else { throw .expectedValue(0, graph.operation) }
    let axis = try resolvedAxis(axis, rank: rank + 1)
    var rows: [GraphResult] = []
    for part in parts { rows.append(try graph.expand(part, at: [axis])) }
    return try graph.concatenate(rows, along: axis)
  }

  /// Splits a value along an axis and removes the axis.
  private static func unpacked(
    _ whole: GraphResult, along axis: Int, _ node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    if case .constant(let constant) = whole {
      let along = try resolvedAxis(axis, rank: constant.shape.count)
      return try constant.unstacked(along: along, at: node.name).map { .constant($0) }
    }
    let along = try resolvedAxis(axis, rank: node.value(0).rank)
    let parts = try graph.split(whole, along: along) { length throws(NetconvError) in
      try splitSizes(in: length, of: length)
    }
    var rows: [GraphResult] = []
    for part in parts { rows.append(try graph.squeeze(part, [along])) }
    return rows
  }
}
