import ModelIR

/// Removes dropout that is written as several operations: a mask of random numbers, and a scale.
///
/// TensorFlow has used three forms: `x / keep * floor(keep + random)`, `x * (1 / (1 - rate)) * (random >= rate)`, and a
/// selection between `x / (1 - rate)` and 0.
///
/// Source: tensorflow/python/ops/nn_ops.py, `dropout` and `_dropout`.
enum GraphDropout {
  private static let sources: Set = [
    "RandomUniform", "StatelessRandomUniform", "StatelessRandomUniformV2",
  ]

  /// The results of a node that is a part of dropout.
  ///
  /// - Returns: `nil` for other nodes.
  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult]? {
    if sources.contains(node.operation) {
      return [.random(GraphRandom(stage: .numbers, kept: nil))]
    }
    guard
      let place = node.inputs.firstIndex(where: { if case .random = $0 { true } else { false } }),
      case .random(let random) = node.inputs[place]
    else { return nil }
    let other = node.inputs.indices.first { $0 != place }.map { node.inputs[$0] }
    switch (random.stage, node.operation) {
    case (.numbers, "Add"), (.numbers, "AddV2"), (.numbers, "Mul"), (.numbers, "Sub"):
      return [.random(try shifted(random, by: other, node))]
    case (.numbers, "Floor"): return [.random(GraphRandom(stage: .mask, kept: random.kept))]
    case (.numbers, "GreaterEqual") where place == 0:
      return [.random(GraphRandom(stage: .mask, kept: try number(other).map { 1 - $0 }))]
    case (_, "Cast"), (_, "Identity"): return [.random(random)]
    case (.mask, "Mul"):
      guard case .value(let value)? = other else { throw .randomNumbers }
      return [.value(try kept(value, random, &graph))]
    case (.mask, "Select"), (.mask, "SelectV2"):
      guard node.inputs.count == 3, place == 0, case .value(let value) = node.inputs[1],
        case .constant(let zero) = node.inputs[2], try zero.scalar() == 0
      else { throw .randomNumbers }
      return [.value(try kept(value, random, &graph))]
    default: throw .randomNumbers
    }
  }

  /// Random numbers from 0 to 1, plus the keep probability.
  private static func shifted(
    _ random: GraphRandom, by other: GraphResult?, _ node: MappedNode
  ) throws(NetconvError) -> GraphRandom {
    var shifted = random
    guard let number = try number(other) else {
      guard case .fed? = other else { throw .randomNumbers }
      return shifted
    }
    // The scale and offset of a RandomUniform are 1 and 0.
    if node.operation == "Mul" && number == 1 || node.operation != "Mul" && number == 0 {
      return shifted
    }
    guard node.operation.hasPrefix("Add"), random.kept == nil, number > 0, number <= 1 else {
      throw .randomNumbers
    }
    shifted.kept = number
    return shifted
  }

  private static func number(_ result: GraphResult?) throws(NetconvError) -> Double? {
    guard case .constant(let constant)? = result else { return nil }
    return try constant.scalar()
  }

  /// The input of dropout, before it is scaled to compensate for dropped values.
  private static func kept(
    _ value: GraphValue, _ random: GraphRandom, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue {
    if random.kept != nil, random.kept != 1 { graph.note(.dropout) }
    if let kept = random.kept, kept == 1 { return value }
    guard let expression = graph.drafts[value.draft].expression,
      expression.function == .multiply || expression.function == .divide,
      expression.operands.count == 2
    else { throw .randomNumbers }
    var base: Int?
    var scale: Double?
    for (index, operand) in expression.operands.enumerated() {
      switch operand {
      case .value(let draft):
        guard base == nil, expression.function == .multiply || index == 0 else {
          throw .randomNumbers
        }
        base = draft
      case .number(let number): scale = number
      case .fed: break
      case .vector: throw .randomNumbers
      }
    }
    if let kept = random.kept {
      // The mask and the scale have to imply the same rate.
      guard let scale else { throw .randomNumbers }
      let factor = expression.function == .multiply ? scale : 1 / scale
      guard abs(factor * kept - 1) < 1e-4 else { throw .randomNumbers }
    } else if scale != nil {
      throw .randomNumbers
    }
    guard let base else { throw .randomNumbers }
    return GraphValue(draft: base, shape: graph.drafts[base].shape, batch: value.batch)
  }
}

extension GraphDropout {
  /// True if an operation generates random numbers that dropout may use.
  static func isSource(_ operation: String) -> Bool { sources.contains(operation) }
}
