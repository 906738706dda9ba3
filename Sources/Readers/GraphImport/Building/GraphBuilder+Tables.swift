import ModelIR
import Operators

// Constants as layers: tables, which are the same for every sample.

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

extension GraphBuilder {
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
  /// - Parameters:
  ///   - sizes: the shape of the result, or with `isTiled` the number of times that each axis is repeated.
  /// - Returns: `nil` if it is repeated along other axes too, or only so many times.
  mutating func repeated(
    _ table: GraphConstant, to sizes: GraphConstant, isTiled: Bool
  ) throws(NetconvError) -> GraphValue? {
    // So many times the batch, and no more.
    guard let batches = sizes.batches, !table.countsBatches, batches.first == 1,
      batches.dropFirst().allSatisfy({ $0 == 0 })
    else { return nil }
    let numbers = try sizes.numbers()
    guard numbers[0] == 0, table.shape.count >= numbers.count - 1,
      let own = table.tableSizes(rank: numbers.count - 1)
    else { return nil }
    let rest = numbers.dropFirst()
    guard isTiled ? rest.allSatisfy({ $0 == 1 }) : rest.elementsEqual(own.map(Double.init)) else {
      return nil
    }
    return try self.table(table, of: own)
  }
}
