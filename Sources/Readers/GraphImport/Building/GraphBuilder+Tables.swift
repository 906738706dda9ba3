import ModelIR
import Operators

// Constants as layers: tables, which are the same for every sample.

extension GraphConstant {
  /// The sizes of a table that is broadcast to a value: for each axis of a sample, its size or 1.
  ///
  /// - Returns: `nil` if it has more axes than that, or values that differ between samples.
  func tableSizes(beside value: GraphValue) -> [Int]? {
    guard shape.count <= value.rank else { return nil }
    let sizes = [Int](repeating: 1, count: value.rank - shape.count) + shape
    guard let batch = value.batch else { return sizes }
    guard sizes[batch.axis] == 1 else { return nil }
    return sizes.prefix(batch.axis) + [Int](repeating: 1, count: batch.merged)
      + sizes.dropFirst(batch.axis + 1)
  }

  /// The sizes of a table that is broadcast to samples of `rank` axes.
  ///
  /// A batch axis of size 1 is dropped, and missing axes have size 1.
  ///
  /// - Returns: `nil` if it has more axes than that, or values that differ between samples.
  func tableSizes(rank: Int) -> [Int]? {
    let own = shape.count > rank ? Array(shape.dropFirst()) : shape
    guard own.count <= rank, own.count == shape.count || shape[0] == 1 else { return nil }
    return [Int](repeating: 1, count: rank - own.count) + own
  }
}

extension GraphBuilder {
  /// Drafts a table of constants, the same for every sample, named after the node that holds them.
  ///
  /// - Parameter sizes: the shape of a sample, with as many elements as the constant.
  /// - Throws: `badData` if the sizes are not those of a table.
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

  /// Drafts a number as a table that is broadcast to a value.
  mutating func table(_ number: Double, like value: GraphValue) throws(NetconvError) -> GraphValue {
    let sizes = [Int](repeating: 1, count: value.shape.rank)
    return try table(
      GraphConstant([number], shape: sizes, type: .float32, path: "\(node)/\(number)"),
      of: sizes)
  }

  /// A table that the graph repeats for each sample, such as a class token or an initial state.
  ///
  /// - Parameters:
  ///   - sizes: the shape of the result; with `isTiled`, the repetitions of each axis.
  /// - Returns: `nil` unless exactly one of the sizes is the batch size, not merged with others.
  mutating func repeated(
    _ table: GraphConstant, to sizes: GraphConstant, isTiled: Bool
  ) throws(NetconvError) -> GraphValue? {
    guard let batches = sizes.batches, !table.countsBatches,
      batches.count(where: { $0 != 0 }) == 1, let axis = batches.firstIndex(of: 1)
    else { return nil }
    let numbers = try sizes.numbers()
    guard numbers[axis] == 0, table.shape.count <= numbers.count else { return nil }
    var own = [Int](repeating: 1, count: numbers.count - table.shape.count) + table.shape
    // A table has no values that differ between samples.
    guard own.remove(at: axis) == 1 else { return nil }
    var rest: [Int] = []
    for (index, number) in numbers.enumerated() where index != axis {
      guard let size = Int(exactly: number) else { throw .noInteger(number, sizes.path) }
      rest.append(size)
    }
    let changes = isTiled ? rest.contains { $0 != 1 } : rest != own
    let whole =
      !changes
      ? table
      : isTiled
        ? try table.reshaped(own).tiled(rest, at: node)
        : try table.reshaped(own).broadcast(to: broadcastShape(own, rest), at: node)
    return try self.table(whole, of: changes ? whole.shape : own).with(
      GraphValue.BatchPlace(axis: axis))
  }

  /// Repeats a value along axes other than the batch.
  ///
  /// - Parameter sizes: The shape of the result, or the repetitions per axis if `isTiled`.
  mutating func repeated(
    _ value: GraphValue, to sizes: GraphConstant, isTiled: Bool
  ) throws(NetconvError) -> GraphResult {
    let (numbers, batches) = (try sizes.numbers(), sizes.batches)
    // Broadcasting may add leading axes.
    let missing = numbers.count - value.rank
    guard missing <= 0 else { throw .unreadUse("\(operation) to more axes") }
    let place = value.batch?.axis
    var result = GraphResult.value(value)
    let own = graphSizes(of: value).dimensions
    for (index, number) in numbers.enumerated() {
      let axis = index - missing
      let counts = batches?[index] ?? 0
      if number == 1 && counts == 0 || axis == place && counts == 1 && number == 0 {
        continue
      }
      guard counts == 0, let length = own[axis], let size = Int(exactly: number) else {
        throw axis == place ? .batchAxis : .openSize(value.shape)
      }
      if !isTiled, size == length { continue }
      guard isTiled || length == 1, axis != place, (1...64).contains(size) else {
        throw axis == place ? .batchAxis : .wrongReshape(own.map { $0 ?? -1 }, [size])
      }
      result = try concatenate([GraphResult](repeating: result, count: size), along: axis)
    }
    return result
  }
}
