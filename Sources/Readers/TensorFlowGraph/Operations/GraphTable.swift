import ModelIR
import Operators

/// Constants that are repeated for each sample of a batch.
///
/// Source: tensorflow/core/ops/array_ops.cc, `BroadcastTo` and `Tile`.
enum GraphTable: GraphOperation {
  static let names = ["BroadcastTo", "Tile"]
  static let operators: [any Operator.Type] = [Constant.self]
  static let refused = [
    "values", "constants that are repeated along other axes than the batch too",
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    _ = try node.constant(0)
    guard let table = try graph.repeatedTable(node) else {
      throw .unknownOperation(node.operation)
    }
    return table
  }
}

extension GraphMapper {
  /// Drafts a table of constants, the same for every sample, which is called like what holds them.
  ///
  /// - Parameter sizes: of a sample, with as many places as there are constants.
  /// - Throws: `badData` if they are those of no table.
  mutating func table(
    _ constant: GraphConstant, of sizes: [Int]
  ) throws(NetconvError) -> GraphValue {
    guard !constant.countsBatches else { throw .countsBatches(constant.path) }
    let key = constant.name.map { "\($0) \(constant.axes ?? []) \(sizes)" }
    if let draft = key.flatMap({ tables[$0] }) {
      return GraphValue(draft: draft, shape: Shape(sizes))
    }
    let table = try draft(
      Constant(shape: sizes), [],
      [.value: GraphDraft.Parameter(constant: try constant.reshaped(sizes), layout: nil)],
      node: (constant.name ?? constant.path, "Const"))
    if let key { tables[key] = table.draft }
    return table
  }

  /// A table that the graph repeats for each sample: a token in front of others, for one.
  ///
  /// - Returns: `nil` if the node does something else.
  /// - Throws: `badData` if samples would have different parts of it.
  mutating func repeatedTable(_ node: MappedNode) throws(NetconvError) -> [GraphResult]? {
    guard node.inputs.count == 2, case .constant(let table) = node.inputs[0],
      case .constant(let sizes) = node.inputs[1], let batches = sizes.batches,
      !table.countsBatches, batches.first == 1, batches.dropFirst().allSatisfy({ $0 == 0 })
    else { return nil }
    let numbers = try sizes.numbers()
    // So many times the batch, and no more.
    guard numbers[0] == 0 else { return nil }
    let own = table.shape.count == numbers.count ? Array(table.shape.dropFirst()) : table.shape
    let repeated: [Int]
    switch node.operation {
    case "BroadcastTo": repeated = numbers.dropFirst().map { Int($0) }
    case "Tile" where numbers.dropFirst().allSatisfy({ $0 == 1 }): repeated = own
    default: return nil
    }
    guard own == repeated, table.shape.count == own.count || table.shape[0] == 1 else { return nil }
    return [.value(try self.table(table, of: own))]
  }
}
