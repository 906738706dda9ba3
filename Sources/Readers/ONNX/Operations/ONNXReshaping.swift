import ModelIR
import Operators

/// Operations that reshape, permute or repeat values.
///
/// Source: onnx/docs/Operators.md.
enum ONNXReshaping: ONNXOperation {
  static let names = [
    "DepthToSpace", "Expand", "Flatten", "Reshape", "SpaceToDepth", "Squeeze", "Tile", "Transpose",
    "Unsqueeze",
  ]
  static let operators: [any Operator.Type] = [
    Constant.self, Flatten.self, Permute.self, Reshape.self,
  ]
  static let refused = [
    "shapes that put values of several samples together otherwise than in their order",
    "values that are repeated more than 64 times",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.input(0)
    switch node.operation {
    case "Expand", "Tile": return [try repeated(node, input, &graph)]
    case "Flatten":
      let rank = try node.rank(of: input)
      let stated = node.integer("axis", default: 1)
      let axis = stated == rank ? rank : try resolvedAxis(stated, rank: rank)
      // A batch of one sample before the first axis is equivalent to one after it.
      let isOne = axis == 0 && graph.batchSize == 1
      return [try flattened(node, input, from: isOne ? 1 : axis, &graph)]
    case "Reshape":
      return [try graph.reshape(input, to: sizes(node, input, graph))]
    case "Squeeze":
      let axes = try node.integers("axes", orInput: 1)
      return [try graph.squeeze(input, axes)]
    case "Transpose":
      let rank = try node.rank(of: input)
      let order = node.integers("perm") ?? (0..<rank).reversed()
      return [try graph.transpose(input, order)]
    case "Unsqueeze":
      guard let axes = try node.integers("axes", orInput: 1) else {
        throw .missingAttribute("axes")
      }
      return [try graph.expand(input, at: axes)]
    default: return [try rearranged(node, &graph)]
    }
  }

  /// The sizes of a reshape; 0 means the size of the same axis of the input.
  private static func sizes(
    _ node: MappedONNXNode, _ input: GraphResult, _ graph: GraphBuilder
  ) throws(NetconvError) -> GraphConstant {
    let sizes: GraphConstant
    if let numbers = node.integers("shape") {
      sizes = GraphConstant(
        numbers.map { Double($0) }, shape: [numbers.count], type: .number(.int64),
        path: graph.node)
    } else {
      sizes = try node.constant(1)
    }
    let numbers = try sizes.numbers()
    let isZero = numbers.indices.map { numbers[$0] == 0 && sizes.batches?[$0] ?? 0 == 0 }
    guard !node.flag("allowzero"), isZero.contains(true) else { return sizes }
    let rank = try node.rank(of: input)
    guard isZero.lastIndex(of: true) ?? 0 < rank else { throw .axisOutside(rank, rank: rank) }
    // Only the requested sizes have to be known.
    var (all, batches) = (numbers, sizes.batches ?? numbers.map { _ in 0 })
    for axis in numbers.indices where isZero[axis] {
      let (size, times) = try size(of: input, axis, node, graph)
      (all[axis], batches[axis]) = (size, times)
    }
    return GraphConstant(
      all, shape: sizes.shape, type: sizes.type, batches: batches, path: graph.node)
  }

  /// The size of an axis, as a number and a multiple of the batch size.
  private static func size(
    of input: GraphResult, _ axis: Int, _ node: MappedONNXNode, _ graph: GraphBuilder
  ) throws(NetconvError) -> (Double, batches: Double) {
    switch input {
    case .constant(let constant): return (Double(constant.shape[axis]), 0)
    case .value(let value):
      var size = 1
      for own in value.sampleAxes(axis) {
        guard let length = value.shape.dimensions[own] else { throw .openSize(value.shape) }
        size *= length
      }
      // A batch size of one is an ordinary number.
      let counts = axis == value.batch?.axis && graph.batchSize != 1
      return counts ? (0, Double(size)) : (Double(size), 0)
    default: throw .expectedValue(0, node.operation)
    }
  }

  /// Flattens to two axes: all before `axis`, and all from it on.
  private static func flattened(
    _ node: MappedONNXNode, _ input: GraphResult, from axis: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    if case .value(let value) = input, axis == 1, value.batch == .first {
      // The sizes need not be known.
      if value.shape.rank == 1 { return input }
      return .value(
        value.shape.rank == 0
          ? try graph.reshape(value, to: Shape([1])) : try graph.draft(Flatten(), [value]))
    }
    let sizes = try graph.shape(of: input, type: .number(.int64))
    let (front, back) = (
      try sizes.sliced([.init(start: 0, stride: 1, count: axis)], at: graph.node),
      try sizes.sliced([.init(start: axis, stride: 1, count: sizes.count - axis)], at: graph.node)
    )
    let both = try [front, back].map { part throws(NetconvError) in
      try part.reduced(.product, axes: [0], keepDimensions: true, at: graph.node)
    }
    let target = try GraphConstant.joined(both, along: 0, at: graph.node)
    return try graph.reshape(input, to: target)
  }

  /// Repeats a constant or a value.
  private static func repeated(
    _ node: MappedONNXNode, _ input: GraphResult, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let sizes = try node.constant(1)
    let isTiled = node.operation == "Tile"
    guard case .value(let value) = input else {
      guard case .constant(let table) = input else { throw .expectedValue(0, node.operation) }
      if let value = try graph.repeated(table, to: sizes, isTiled: isTiled) {
        return .value(value)
      }
      return .constant(
        isTiled
          ? try table.tiled(sizes.integers(), at: graph.node)
          : try table.broadcast(
            to: broadcastShape(table.shape, sizes.integers()), at: graph.node))
    }
    return try graph.repeated(value, to: sizes, isTiled: isTiled)
  }

  /// Space-to-depth, or depth-to-space.
  private static func rearranged(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let input = try graph.sample(node.input(0))
    guard let block = node.integer("blocksize"), (1...1 << 20).contains(block) else {
      throw .missingAttribute("blocksize")
    }
    guard input.shape.rank == 3 else { throw .wrongRankOfValue(input.shape, expected: 4) }
    guard let own = input.shape.known else { throw .openSize(input.shape) }
    let (c, h, w) = (own[0], own[1], own[2])
    let shapes: (between: [Int], order: [Int], end: [Int])
    if node.operation == "DepthToSpace" {
      guard c % (block * block) == 0 else { throw .wrongBlock([block]) }
      let rest = c / (block * block)
      let isColumnFirst = node.text("mode", default: "DCR") == "CRD"
      shapes = (
        isColumnFirst ? [rest, block, block, h, w] : [block, block, rest, h, w],
        isColumnFirst ? [0, 3, 1, 4, 2] : [2, 3, 0, 4, 1], [rest, h * block, w * block]
      )
    } else {
      guard h % block == 0, w % block == 0 else { throw .wrongBlock([block]) }
      let isColumnFirst = node.text("mode", default: "DCR") == "CRD"
      shapes = (
        [c, h / block, block, w / block, block],
        isColumnFirst ? [0, 2, 4, 1, 3] : [2, 4, 0, 1, 3],
        [c * block * block, h / block, w / block]
      )
    }
    return .value(
      try graph.rearrange(input, apart: shapes.between, shapes.order, joined: shapes.end))
  }
}
