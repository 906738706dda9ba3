import ModelIR
import Operators

/// Constants that are repeated, possibly for each sample of a batch.
///
/// Source: tensorflow/core/ops/array_ops.cc, `BroadcastTo` and `Tile`.
enum GraphTable: GraphOperation {
  static let names = ["BroadcastTo", "Tile"]
  static let operators: [any Operator.Type] = [Constant.self]
  static let folded = names
  static let refused = [
    "values", "constants that are repeated along other axes than the batch too",
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let table = try node.constant(0)
    let sizes = try node.constant(1)
    let isTiled = node.operation == "Tile"
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
