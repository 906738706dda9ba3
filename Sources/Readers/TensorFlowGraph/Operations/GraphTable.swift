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
    // Those that are read are found before constants are folded.
    _ = try node.constant(0)
    throw .unknownOperation(node.operation)
  }
}

extension GraphConstant {
  /// The sizes of a table beside samples of `rank` axes, without a batch of one, and with sizes of 1 for axes that it
  /// has not.
  ///
  /// - Returns: `nil` if it has more axes, or numbers for each sample.
  func tableSizes(rank: Int) -> [Int]? {
    let own = shape.count > rank ? Array(shape.dropFirst()) : shape
    guard own.count <= rank, own.count == shape.count || shape[0] == 1 else { return nil }
    return [Int](repeating: 1, count: rank - own.count) + own
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
    guard table.shape.count >= numbers.count - 1,
      let own = table.tableSizes(rank: numbers.count - 1)
    else { return nil }
    switch node.operation {
    case "BroadcastTo" where numbers.dropFirst().elementsEqual(own.map(Double.init)): break
    case "Tile" where numbers.dropFirst().allSatisfy({ $0 == 1 }): break
    default: return nil
    }
    return [.value(try self.table(table, of: own))]
  }
}
