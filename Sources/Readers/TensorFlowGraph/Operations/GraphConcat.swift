import ModelIR
import Operators

/// Values side by side.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Concat`, `ConcatV2` and `Pack`.
enum GraphConcat: GraphOperation {
  static let names = ["Concat", "ConcatV2"]
  static let operators: [any Operator.Type] = [Concatenate.self]
  static let refused = ["constants beside values", "the batch's axis"]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    let isOld = node.operation == "Concat"
    let count = node.inputs.count
    let places = Array(isOld ? 1..<count : 0..<max(0, count - 1))
    let values = try places.map { index throws(NetconvError) in try node.value(index) }
    guard let first = values.first else { throw .missingOperand(0, node.operation) }
    guard let axis = try node.constant(isOld ? 0 : count - 1).integers().first else {
      throw .missingOperand(count - 1, node.operation)
    }
    let along = try resolvedAxis(axis, rank: first.rank)
    guard along > 0 else { throw .batchAxis }
    guard values.allSatisfy({ $0.merged == first.merged && $0.shape.rank == first.shape.rank })
    else { throw .mergedBatch }
    guard values.count > 1 else { return [.value(first)] }
    let own = along - 1 + first.merged
    return [
      .value(
        try graph.draft(
          Concatenate(axis: own == first.shape.rank - 1 ? -1 : own), values,
          axes: .counted(moved: { rank in Concatenate(axis: movedAxis(own, rank: rank)) }),
          merged: first.merged))
    ]
  }
}
