import ModelIR
import Operators

/// Values and constants that are repeated, constants possibly for each sample of a batch.
///
/// Source: tensorflow/core/ops/array_ops.cc, `BroadcastTo` and `Tile`.
enum GraphTable: GraphOperation {
  static let names = ["BroadcastTo", "Tile"]
  static let operators: [any Operator.Type] = [Concatenate.self, Constant.self]
  static let folded = names
  static let refused = [
    "values that are repeated more than 64 times",
    "constants that are repeated along other axes than the batch too",
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let sizes = try node.constant(1)
    let isTiled = node.operation == "Tile"
    if case .value(let value) = try node.input(0) {
      return [try graph.repeated(value, to: sizes, isTiled: isTiled)]
    }
    let table = try node.constant(0)
    if let value = try graph.repeated(table, to: sizes, isTiled: isTiled) {
      return [.value(value)]
    }
    return [
      .constant(
        isTiled
          ? try table.tiled(sizes.integers(), at: node.name)
          : try table.broadcast(to: sizes.integers(), at: node.name))
    ]
  }
}
