import ModelIR
import Operators

/// Attention and rotary position embeddings, built from matrix products, which ``AttentionSearch`` joins.
///
/// Source: onnx/docs/Operators.md, `Attention` and `RotaryEmbedding`; onnx/reference/ops/op_attention.py for rows
/// that are fully masked.
enum ONNXAttention: ONNXOperation {
  static let names = ["Attention", "RotaryEmbedding"]
  static let operators: [any Operator.Type] = [
    Activation.self, Add.self, Attention.self, Concatenate.self, Constant.self, MatMul.self,
    Multiply.self,
    Reduce.self, Rescaling.self, Subtract.self, Where.self,
  ]
  static let refused = [
    "nonpad_kv_seqlen", "masks of rows that attend to nothing, if they are constant",
    "positions that follow from what is fed",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    if node.operation == "RotaryEmbedding" { return [try rotated(node, &graph)] }
    guard node.optional(6) == nil else { throw .unreadUse("nonpad_kv_seqlen") }
    let isMerged = try node.value(0).rank == 3
    let queryHeads = node.integer("q_num_heads")
    let keyHeads = node.integer("kv_num_heads")
    let query = try heads(node.input(0), queryHeads, &graph)
    var (key, value) = (
      try heads(node.input(1), keyHeads, &graph), try heads(node.input(2), keyHeads, &graph)
    )
    var past = 0
    if let pastKey = node.optional(4), let pastValue = node.optional(5) {
      past = try length(pastKey, axis: 2)
      key = try graph.concatenate([pastKey, key], along: 2)
      value = try graph.concatenate([pastValue, value], along: 2)
    }
    let present = [key, value]
    let groups = try length(query, axis: 1) / max(1, length(key, axis: 1))
    key = try repeated(key, groups, &graph)
    value = try repeated(value, groups, &graph)

    let width = Double(try length(query, axis: 3))
    let scale = node.number("scale", default: 1 / width.squareRoot())
    let scaled = try graph.apply(.multiply, [query, .number(scale)])
    let scores = GraphResult.value(
      try graph.multiply([scaled, key], transposesSecond: true, isBatched: true))
    var capped = scores
    let cap = node.number("softcap", default: 0)
    if cap > 0 {
      let small = try graph.apply(.multiply, [scores, .number(1 / cap)])
      capped = try graph.apply(.multiply, [graph.apply(.tanh, [small]), .number(cap)])
    }
    let bias = try bias(node, scores, past: past, &graph)
    let biased = try bias.map { bias throws(NetconvError) in
      try graph.apply(.add, [capped, bias])
    }
    var weights = GraphResult.value(
      try graph.softmax(graph.value([biased ?? capped], 0), isLogarithm: false))
    if case .value(let mask)? = bias { weights = try unmasked(weights, mask, &graph) }
    var output = GraphResult.value(try graph.multiply([weights, value], isBatched: true))
    if isMerged { output = try merged(output, &graph) }
    let details = [scores, capped, biased ?? capped, weights]
    let mode = node.integer("qk_matmul_output_mode", default: 0)
    guard details.indices.contains(mode) else {
      throw .unknownSetting("qk_matmul_output_mode", "\(mode)", known: ["0", "1", "2", "3"])
    }
    return [output] + present + [details[mode]]
  }

  // MARK: - Heads

  /// The size of an axis whose index includes the batch.
  private static func length(_ x: GraphResult, axis: Int) throws(NetconvError) -> Int {
    switch x {
    case .constant(let constant) where constant.shape.indices.contains(axis):
      return constant.shape[axis]
    case .value(let value): return try value.size(axis)
    default: throw .expectedValue(0, "Attention")
    }
  }

  /// Reshapes (batch, length, heads · width) to (batch, heads, length, width).
  private static func heads(
    _ x: GraphResult, _ count: Int?, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let rank: Int
    switch x {
    case .constant(let constant): rank = constant.shape.count
    case .value(let value): rank = value.rank
    default: throw .expectedValue(0, "Attention")
    }
    guard rank != 4 else { return x }
    let width = try length(x, axis: 2)
    guard rank == 3, let count, count > 0, width % count == 0 else { throw .wrongBlock([width]) }
    let split = try resized(x, dropping: 1, adding: [count, width / count], &graph)
    return try graph.transpose(split, [0, 2, 1, 3])
  }

  /// Replaces the last axes with others.
  private static func resized(
    _ x: GraphResult, dropping count: Int, adding sizes: [Int], _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = x {
      return .constant(try constant.reshaped(constant.shape.dropLast(count) + sizes))
    }
    let value = try graph.value([x], 0)
    let own = value.shape.dimensions.dropLast(count) + sizes.map { $0 }
    return .value(try graph.reshape(value, to: Shape(Array(own))).with(value.batch))
  }

  /// Reshapes (batch, heads, length, width) to (batch, length, heads · width).
  private static func merged(
    _ x: GraphResult, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let moved = try graph.transpose(x, [0, 2, 1, 3])
    let width = try length(moved, axis: 2) * length(moved, axis: 3)
    return try resized(moved, dropping: 2, adding: [width], &graph)
  }

  /// Repeats each head, to match the heads of the queries.
  private static func repeated(
    _ x: GraphResult, _ count: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    guard count > 1 else { return x }
    let heads = try length(x, axis: 1)
    let indices = (0..<heads * count).map { $0 / count }
    return try taken(indices, of: x, along: 1, &graph)
  }

  /// Gathers indices along an axis whose index includes the batch.
  private static func taken(
    _ indices: [Int], of x: GraphResult, along axis: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = x {
      let numbers = GraphConstant(
        indices.map(Double.init), shape: [indices.count], type: .int32, path: graph.node)
      return .constant(try constant.gathered(numbers, along: axis, at: graph.node))
    }
    let value = try graph.value([x], 0)
    return .value(try graph.take(indices, of: value, along: value.sampleAxis(axis)))
  }

  // MARK: - Masks

  /// The bias that is added to the scores; `nil` if there is none.
  private static func bias(
    _ node: MappedONNXNode, _ scores: GraphResult, past: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult? {
    var bias: GraphResult?
    let (left, right) = (
      node.integer("left_window_size", default: -1), node.integer("right_window_size", default: -1)
    )
    let isCausal = node.flag("is_causal")
    if isCausal || left >= 0 || right >= 0 {
      let (queries, keys) = (try length(scores, axis: 2), try length(scores, axis: 3))
      let count = try foldedCount(of: [queries, keys])
      let values = (0..<count).map { index in
        let distance = index / keys + past - index % keys
        let isMasked =
          isCausal && distance < 0 || left >= 0 && distance > left
          || right >= 0 && -distance > right
        return isMasked ? -Double.infinity : 0
      }
      bias = .constant(
        GraphConstant(
          values, shape: [1, 1, queries, keys], type: .float32, path: "\(graph.node)/mask"))
    }
    if let mask = node.optional(3) {
      let own = try widened(
        added(mask, isTruth: node.types[3] == .truth, &graph), to: length(scores, axis: 3), &graph)
      bias =
        try bias.map { bias throws(NetconvError) in try graph.apply(.add, [own, bias]) } ?? own
    }
    if case .constant(let constant)? = bias {
      let keys = constant.shape.last ?? 1
      let values = try constant.numbers()
      let isWhole = stride(from: 0, to: values.count, by: keys).contains { start in
        values[start..<start + keys].allSatisfy { $0 == -.infinity }
      }
      guard !isWhole else { throw .unreadUse("a mask of rows that attend to nothing") }
    }
    return bias
  }

  /// Converts a mask to a bias: 0 where it is true, else -∞.
  private static func added(
    _ mask: GraphResult, isTruth: Bool, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    var mask = mask
    // Missing axes are leading ones: heads, and the batch, which inputs always have.
    switch mask {
    case .constant(let constant) where constant.shape.count < 4:
      mask = .constant(
        try constant.reshaped(
          [Int](repeating: 1, count: 4 - constant.shape.count) + constant.shape))
    case .value(let value) where value.rank < 4: throw .wrongRankOfValue(value.shape, expected: 4)
    default: break
    }
    guard isTruth else { return mask }
    return try graph.apply(.select, [mask, .number(0), .number(-.infinity)])
  }

  /// Extends a mask to the given number of keys; the additional keys are masked.
  private static func widened(
    _ mask: GraphResult, to keys: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let own = try length(mask, axis: 3)
    guard own < keys, own > 1 else { return mask }
    guard case .constant(let constant) = mask else {
      throw .unreadUse("a mask of fewer keys that is fed")
    }
    var sizes = constant.shape
    sizes[3] = keys - own
    let rest = try GraphConstant.filled(
      -.infinity, shape: sizes, type: constant.type, at: "\(graph.node)/masked")
    return .constant(try .joined([constant, rest], along: 3, at: "\(graph.node)/mask"))
  }

  /// Sets rows to zero whose keys are all masked, where a softmax divides by 0.
  private static func unmasked(
    _ weights: GraphResult, _ bias: GraphValue, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let largest = try graph.reduce(.maximum, .value(bias), axes: [3], keepDimensions: true)
    let isMasked = try graph.apply(.equal, [largest, .number(-.infinity)])
    return try graph.apply(.select, [isMasked, .number(0), weights])
  }

  // MARK: - Rotation

  /// Rotates pairs of values by an angle that depends on their position.
  private static func rotated(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let given = try node.value(0)
    let x = try heads(.value(given), node.integer("num_heads"), &graph)
    let width = try length(x, axis: 3)
    let rotated = node.integer("rotary_embedding_dim", default: 0)
    let part = rotated > 0 ? rotated : width
    guard part % 2 == 0, part <= width else { throw .wrongBlock([part, width]) }
    let half = part / 2
    let isInterleaved = node.flag("interleaved")
    let indices =
      isInterleaved
      ? [Array(stride(from: 0, to: part, by: 2)), Array(stride(from: 1, to: part, by: 2))]
      : [Array(0..<half), Array(half..<part)]
    let pair = try indices.map { indices throws(NetconvError) in
      try taken(indices, of: x, along: 3, &graph)
    }
    let cosines = try angles(node, 1, half, &graph)
    let sines = try angles(node, 2, half, &graph)
    let real = try graph.apply(
      .subtract,
      [graph.apply(.multiply, [pair[0], cosines]), graph.apply(.multiply, [pair[1], sines])])
    let imaginary = try graph.apply(
      .add,
      [graph.apply(.multiply, [pair[0], sines]), graph.apply(.multiply, [pair[1], cosines])])
    var result: GraphResult
    if isInterleaved {
      let columns = try [real, imaginary].map { column throws(NetconvError) in
        try graph.expand(column, at: [4])
      }
      result = try resized(
        graph.concatenate(columns, along: 4), dropping: 2, adding: [part], &graph)
    } else {
      result = try graph.concatenate([real, imaginary], along: 3)
    }
    if part < width {
      let rest = try taken(Array(part..<width), of: x, along: 3, &graph)
      result = try graph.concatenate([result, rest], along: 3)
    }
    return given.rank == 3 ? try merged(result, &graph) : result
  }

  /// The cosines or sines of each position, as (batch, 1, length, width / 2).
  private static func angles(
    _ node: MappedONNXNode, _ index: Int, _ half: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    guard let positions = node.optional(3) else {
      return try graph.expand(node.input(index), at: [1])
    }
    guard case .constant(let numbers) = positions else {
      return try graph.expand(graph.gather([node.input(index), positions], along: 0), at: [1])
    }
    let table = try node.constant(index).gathered(numbers, along: 0, at: graph.node)
    guard table.shape.last == half else { throw .wrongBlock(table.shape) }
    return .constant(try table.expanded(at: [1]))
  }
}
