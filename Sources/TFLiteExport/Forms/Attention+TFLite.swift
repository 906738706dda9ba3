import FlatBuffers
import ModelIR
import Operators

extension Attention: TFLiteForm {
  static var tfliteOperations: String {
    "`RESHAPE`, `TRANSPOSE`, `BATCH_MATMUL`, `SOFTMAX`; `SELECT_V2` of masks; of fixed lengths"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let x = try x.map { value throws(NetconvError) in try graph.expanded(value) }
    let shapes = try x.map { value throws(NetconvError) in try value.known() }
    let sizes = sizes(of: shapes)
    let count = sizes.heads / sizes.keyHeads
    let query = try split(x[0], sizes.heads, sizes.width, 1, &graph)
    let key = try split(x[1], sizes.keyHeads, sizes.width, count, &graph)
    let value = try split(x[2], sizes.keyHeads, sizes.valueWidth, count, &graph)
    var scores = try self.scores(query, key, sizes.width, layer, &graph)
    if let softCap {
      let bound = graph.unary(.tanh, try graph.scale(scores, 1 / softCap))
      scores = try graph.scale(bound, softCap)
    }
    // Numbers that are added later are rounded away; masks replace all of a row by one number.
    if let table = try reach(sizes, &graph) { scores = try graph.binary(.add, scores, table) }
    for (index, mask) in masks.enumerated() where mask != .results {
      let value = try arranged(x[3 + index], mask, &graph)
      scores = try masked(scores, value, mask, &graph)
    }
    var weights = try graph.activate(scores, .softmax(axis: -1))
    if zerosEmpty {
      let counts = try graph.compare(.greater, scores, graph.float(Self.masked))
      weights = try graph.choose(counts, weights, graph.float(0))
    }
    if result == .weights { return [try graph.reshape(weights, samples: layer.shape.sizes())] }
    let product = try graph.multiply(weights, value)
    var means = try graph.reshape(
      graph.transpose(product, [0, 2, 1, 3]),
      samples: [sizes.queries, sizes.heads * sizes.valueWidth])
    for (index, mask) in masks.enumerated() where mask == .results {
      let column = graph.expand(try graph.truth(of: x[3 + index]), at: 2)
      means = try graph.choose(column, means, graph.float(0))
    }
    guard result == .both else { return [means] }
    return [means, try graph.reshape(weights, samples: layer.outputShapes[1].sizes())]
  }

  /// The score of a masked key: any score added to it is rounded away.
  private static let masked = -1e30

  /// Moves the heads in front of the steps, and repeats each.
  private func split(
    _ x: TFLiteValue, _ heads: Int, _ width: Int, _ count: Int,
    _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> TFLiteValue {
    let steps = try x.known()[0]
    let moved = try graph.transpose(
      graph.reshape(x, samples: [steps, heads, width]), [0, 2, 1, 3])
    guard count > 1 else { return moved }
    let repeated = graph.concatenate(
      [TFLiteValue](repeating: graph.expand(moved, at: 2), count: count), along: 2)
    return try graph.reshape(repeated, samples: [heads * count, steps, width])
  }

  private func scores(
    _ query: TFLiteValue, _ key: TFLiteValue, _ width: Int, _ layer: TFLiteLayer,
    _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> TFLiteValue {
    func scaled(_ value: TFLiteValue, _ role: ParameterRole) throws(NetconvError) -> TFLiteValue {
      guard let tensor = layer.parameters[role] else { return value }
      return try graph.binary(.mul, value, graph.parameter(tensor))
    }
    let factor = factor(width: width)
    guard score != .dot else {
      let product = try graph.multiply(
        factor == 1 ? query : graph.scale(query, factor), key, transposes: (false, true))
      return try scaled(product, .gamma)
    }
    let sum = try graph.binary(.add, graph.expand(query, at: 3), graph.expand(key, at: 2))
    let terms =
      score == .additive
      ? try scaled(graph.unary(.tanh, sum), .gamma)
      : graph.unary(.tanh, try scaled(sum, .gamma))
    let total = graph.reduce(.sum, terms, along: [4], keeps: false)
    let all = score == .additive ? total : try scaled(total, .alpha)
    return factor == 1 ? all : try graph.scale(all, factor)
  }

  /// Returns a mask with the axes of the scores, or axes of size 1.
  private func arranged(
    _ x: TFLiteValue, _ mask: AttentionMask, _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> TFLiteValue {
    switch mask {
    case .keys: graph.expand(graph.expand(x, at: 1), at: 1)
    case .queries, .results: graph.expand(graph.expand(x, at: 1), at: 3)
    case .pairs, .bias: x.rank == 2 ? graph.expand(x, at: 1) : x
    }
  }

  private func masked(
    _ scores: TFLiteValue, _ value: TFLiteValue, _ mask: AttentionMask,
    _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> TFLiteValue {
    guard mask == .bias else {
      return try graph.choose(graph.truth(of: value), scores, graph.float(Self.masked))
    }
    let sum = try graph.binary(.add, scores, value)
    return try graph.binary(.maximum, sum, graph.float(Self.masked))
  }

  /// Returns a table that masks the keys out of reach; `nil` if there are none.
  private func reach(
    _ sizes: AttentionSizes, _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> TFLiteValue? {
    guard before != nil || after != nil else { return nil }
    guard sizes.queries * sizes.keys <= 1 << 22 else { throw .largeMatrixForTFLite }
    let values = (0..<sizes.queries).flatMap { query in
      let reached = reach(of: query, keys: sizes.keys)
      return (0..<sizes.keys).map { reached.contains($0) ? 0 : Self.masked }
    }
    return graph.floats(values, [1, 1, sizes.queries, sizes.keys])
  }
}

extension Shape {
  /// Returns the sizes, which must be known.
  fileprivate func sizes() throws(NetconvError) -> [Int] {
    guard let known else { throw .openSizeForTFLite }
    return known
  }
}
