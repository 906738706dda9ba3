import ModelIR
import Operators

/// Axes in another order.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Transpose`.
enum GraphTranspose: GraphOperation {
  static let names = ["Transpose"]
  static let operators: [any Operator.Type] = [Permute.self]
  static let refused = ["orders that move the batch"]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.value(0)
    let order = try node.axes(1, rank: input.rank)
    guard Set(order).count == input.rank, order.count == input.rank else {
      throw .wrongPermutation(order)
    }
    guard order.first == 0 else { throw .batchAxis }
    if order == Array(0..<input.rank) { return [.value(input)] }
    guard input.merged == 0 else { throw .mergedBatch }
    return [.value(try graph.draft(Permute(order: order.dropFirst().map { $0 - 1 }), [input]))]
  }
}
