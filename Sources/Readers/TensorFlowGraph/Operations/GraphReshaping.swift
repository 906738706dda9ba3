import ModelIR
import Operators

/// The same values on other axes.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Reshape`, `Squeeze` and `ExpandDims`.
enum GraphReshaping: GraphOperation {
  static let names = ["ExpandDims", "Reshape", "Squeeze"]
  static let operators: [any Operator.Type] = [Flatten.self, Reshape.self]
  static let refused = [
    "shapes that put values of several samples together otherwise than in their order"
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "ExpandDims": [.value(try expanded(node, &graph))]
    case "Squeeze": [.value(try squeezed(node, &graph))]
    default: [.value(try reshaped(node, &graph))]
    }
  }

  private static func expanded(
    _ node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    let input = try node.sample(0)
    guard let named = try node.constant(1).integers().first else { throw .wrongSlice }
    let axis = try resolvedAxis(named, rank: input.rank + 1)
    guard axis > 0 else { throw .batchAxis }
    var dimensions = input.shape.dimensions
    dimensions.insert(1, at: axis - 1)
    if let dealing = graph.drafts[input.draft].dealing {
      guard axis == 1, let image = dealing.asImage else { throw .dealsOutMore }
      return graph.draft(image, shape: Shape(dimensions))
    }
    return try graph.reshape(input, to: Shape(dimensions))
  }

  private static func squeezed(
    _ node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    let input = try node.sample(0)
    let named = node.integers("squeeze_dims") ?? node.integers("axis") ?? []
    var axes: Set<Int> = []
    for axis in named { axes.insert(try resolvedAxis(axis, rank: input.rank)) }
    if named.isEmpty {
      guard input.shape.known != nil else { throw .openSize(input.shape) }
      // Without names, a batch of one would go too.
      guard graph.batchSize != 1 else { throw .squeezesBatch }
      axes = Set(
        input.shape.dimensions.indices.filter { input.shape.dimensions[$0] == 1 }.map { $0 + 1 })
    }
    guard !axes.contains(0) else { throw .batchAxis }
    guard axes.allSatisfy({ input.shape.dimensions[$0 - 1] == 1 }) else {
      throw .squeezesMore(input.shape.dimensions.map { $0 ?? -1 })
    }
    let shape = Shape(
      input.shape.dimensions.indices.filter { !axes.contains($0 + 1) }
        .map { input.shape.dimensions[$0] })
    if let dealing = graph.drafts[input.draft].dealing {
      guard axes == [1], dealing.isLine else { throw .dealsOutMore }
      return graph.draft(dealing, shape: shape)
    }
    return try graph.reshape(input, to: shape)
  }

  /// A reshape to sizes of which the first counts the batch, perhaps times axes that are merged with it.
  private static func reshaped(
    _ node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    let input = try node.value(0)
    let sizes = try node.constant(1)
    let numbers = try sizes.integerParts()
    let batches = sizes.batches ?? numbers.map { _ in 0 }
    guard let first = numbers.first else { throw .batchAxis }
    guard batches.dropFirst().allSatisfy({ $0 == 0 }) else { throw .countsBatches(node.name) }
    let rest = Array(numbers.dropFirst())
    guard rest.allSatisfy({ $0 >= -1 }), rest.count(where: { $0 == -1 }) <= 1 else {
      throw .wrongReshape(input.shape.dimensions.map { $0 ?? -1 }, numbers)
    }
    if let same = try keepingLast(input, first, batches[0], rest) { return same }
    guard let own = input.shape.known else { throw .openSize(input.shape) }
    let count = try product(own)
    let known = try product(rest.filter { $0 != -1 })
    guard known > 0, count % known == 0 else { throw .wrongReshape(own, numbers) }
    var merged = count / known
    var target = rest
    if batches[0] != 0 {
      // So many times the batch.
      guard first == 0, let times = Int(exactly: batches[0]), times > 0, merged % times == 0 else {
        throw .countsBatches(node.name)
      }
      if let open = target.firstIndex(of: -1) { target[open] = merged / times }
      merged = times
    } else if first == -1 {
      guard !rest.contains(-1) else { throw .wrongReshape(own, numbers) }
    } else {
      // A constant repeats the batch, or so many times it.
      guard let batch = graph.batchSize, batch > 0, first > 0, first % batch == 0,
        merged % (first / batch) == 0
      else { throw .fixedBatch(first) }
      if let open = target.firstIndex(of: -1) { target[open] = merged / (first / batch) }
      merged = first / batch
    }
    guard merged > 0, try product(target) == count / merged, count % merged == 0 else {
      throw .wrongReshape(own, numbers)
    }
    return try merging(merged, target, input, own, &graph)
  }

  /// The value itself, where the last axes stay and all before them are merged with the batch.
  private static func keepingLast(
    _ input: GraphValue, _ first: Int, _ batches: Double, _ rest: [Int]
  ) throws(NetconvError) -> GraphValue? {
    guard batches == 0, first == -1, rest.count < input.shape.rank, !rest.isEmpty,
      Array(input.shape.dimensions.suffix(rest.count)) == rest.map(Optional.init),
      input.shape.known == nil
    else { return nil }
    return GraphValue(
      draft: input.draft, shape: input.shape, merged: input.shape.rank - rest.count)
  }

  /// A value of which `merged` places belong to the batch, and the others lie in `target`.
  private static func merging(
    _ merged: Int, _ target: [Int], _ input: GraphValue, _ own: [Int], _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    guard merged > 1 else { return try graph.reshape(input, to: Shape(target)) }
    // The axes that are merged keep their sizes, where they are whole axes.
    var prefix: [Int] = []
    for size in own where prefix.reduce(1, *) < merged { prefix.append(size) }
    guard prefix.reduce(1, *) == merged else { throw .mergesParts(merged, own) }
    var value = try graph.reshape(input, to: Shape(prefix + target))
    value.merged = prefix.count
    return value
  }
}

extension GraphConstant {
  /// The whole numbers that it lists, besides those of the batch.
  fileprivate func integerParts() throws(NetconvError) -> [Int] {
    try numbers().map { number throws(NetconvError) in
      guard let integer = Int(exactly: number) else { throw .noInteger(number, path) }
      return integer
    }
  }
}

extension GraphMapper {
  /// Drafts a change of axes; none where they stay.
  mutating func reshape(
    _ value: GraphValue, to shape: Shape
  ) throws(NetconvError) -> GraphValue {
    guard shape != value.shape else {
      return GraphValue(draft: value.draft, shape: shape)
    }
    if shape.rank == 1, value.shape.rank > 1 { return try draft(Flatten(), [value]) }
    // One open size can be left to the operator.
    guard shape.dimensions.count(where: { $0 == nil }) <= 1 else { throw .openSize(shape) }
    return try draft(Reshape(shape: shape.dimensions.map { $0 ?? -1 }), [value])
  }
}
