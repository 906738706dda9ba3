import ModelIR
import Operators

/// Normalisations as single operations.
///
/// Source: onnx/docs/Operators.md; opset 18 and 21 for the scales of `GroupNormalization`.
enum ONNXNormalization: ONNXOperation {
  static let names = [
    "BatchNormalization", "GroupNormalization", "InstanceNormalization", "LayerNormalization",
    "LpNormalization", "LRN", "MeanVarianceNormalization", "RMSNormalization",
  ]
  static let operators: [any Operator.Type] = [
    BatchNormalization.self, Dense.self, Divide.self, GroupNormalization.self,
    LayerNormalization.self, RMSNormalization.self, Reduce.self, UnitNormalization.self,
  ]
  static let refused = [
    "training_mode, where means are taken over what is fed",
    "the mean and the deviation as outputs",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "LayerNormalization", "RMSNormalization":
      let epsilon = node.number("epsilon", default: Double(Float(1e-5)))
      return [.value(try layer(node, node.value(0), epsilon, &graph))]
    case "LpNormalization": return [try unit(node, &graph)]
    case "LRN": return [try neighbours(node, &graph)]
    case "MeanVarianceNormalization": return [try standardized(node, &graph)]
    default: break
    }
    let input = try graph.sample(node.input(0))
    let isImage = input.shape.rank > 1
    let first: GraphDraft.Axes = isImage ? .channelsFirst : .counted(moved: nil)
    let epsilon = node.number("epsilon", default: Double(Float(1e-5)))
    switch node.operation {
    case "BatchNormalization":
      guard !node.flag("training_mode"), node.opset >= 7 || node.flag("is_test") else {
        throw .trainingMode(node.operation)
      }
      guard node.flag("spatial", default: true) else {
        throw .unknownSetting("spatial", "0", known: ["1"])
      }
      return [
        .value(
          try graph.draft(
            BatchNormalization(epsilon: epsilon), [input],
            try parameters(node, [.gamma, .beta, .mean, .variance]), axes: first))
      ]
    case "InstanceNormalization":
      return [
        .value(
          try graph.draft(
            GroupNormalization(groups: -1, epsilon: epsilon), [input],
            try parameters(node, [.gamma, .beta]), axes: first))
      ]
    default: return [.value(try groups(node, input, epsilon, first, &graph))]
    }
  }

  /// Divides values by their norm along an axis.
  private static func unit(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let input = try node.value(0)
    let axis = node.integer("axis", default: -1)
    guard node.integer("p", default: 2) == 2 else {
      let sizes = try graph.apply(.elementwise(.absolute), [.value(input)])
      let norm = try graph.reduce(.sum, sizes, axes: [axis], keepDimensions: true)
      return try graph.apply(.divide, [.value(input), norm])
    }
    let own = try input.sampleAxis(axis)
    // No epsilon protects against a norm of 0.
    return .value(
      try graph.draft(
        UnitNormalization(smallestNorm: 1e-30, axis: AxisList([own - input.shape.rank])), [input],
        batch: input.batch))
  }

  /// Local response normalisation over neighbouring channels: x / (bias + alpha / size · Σ x²) ^ beta.
  private static func neighbours(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let input = try graph.sample(node.input(0))
    guard let size = node.integer("size"), size > 0 else { throw .missingAttribute("size") }
    guard let channels = input.shape.dimensions.first ?? nil else {
      throw .openChannels(input.shape)
    }
    _ = try foldedCount(of: [channels, channels])
    // With an even number of neighbours, the extra one follows.
    let (before, after) = ((size - 1) / 2, size / 2)
    let band = (0..<channels).flatMap { channel in
      (0..<channels).map { ($0 >= channel - before && $0 <= channel + after) ? 1.0 : 0 }
    }
    let sums = try graph.mix(
      graph.apply(.square, [.value(input)]), along: 1,
      by: GraphConstant(
        band, shape: [channels, channels], type: .float32, path: "\(graph.node)/neighbours"))
    let scale = node.number("alpha", default: Double(Float(0.0001))) / Double(size)
    let scaled = try graph.apply(.multiply, [sums, .number(scale)])
    let shifted = try graph.apply(.add, [scaled, .number(node.number("bias", default: 1))])
    let power = try graph.apply(.power, [shifted, .number(node.number("beta", default: 0.75))])
    return try graph.apply(.divide, [.value(input), power])
  }

  /// Subtracts the mean and divides by the standard deviation plus 1e-9, along axes whose indices include the batch.
  private static func standardized(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let axes = node.integers("axes") ?? [0, 2, 3]
    let input = try node.input(0)
    let mean = try graph.reduce(.mean, input, axes: axes, keepDimensions: true)
    let centred = try graph.apply(.subtract, [input, mean])
    let variance = try graph.reduce(
      .mean, graph.apply(.square, [centred]), axes: axes, keepDimensions: true)
    let deviation = try graph.apply(.elementwise(.squareRoot), [variance])
    return try graph.apply(
      .divide, [centred, graph.apply(.add, [deviation, .number(1e-9)])])
  }

  /// The constant vectors after the first input, by role.
  private static func parameters(
    _ node: MappedONNXNode, _ roles: [ParameterRole]
  ) throws(NetconvError) -> [ParameterRole: GraphDraft.Parameter] {
    var parameters: [ParameterRole: GraphDraft.Parameter] = [:]
    for (index, role) in roles.enumerated() {
      guard let constant = try node.optionalConstant(index + 1) else { continue }
      parameters[role] = GraphDraft.Parameter(
        constant: try constant.reshaped([constant.count]), layout: nil)
    }
    return parameters
  }

  private static func layer(
    _ node: MappedONNXNode, _ input: GraphValue, _ epsilon: Double, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue {
    let axis = try input.sampleAxis(node.integer("axis", default: -1))
    let rank = input.shape.rank
    let axes = AxisList(Array(axis..<rank).map { $0 - rank })
    var parameters: [ParameterRole: GraphDraft.Parameter] = [:]
    for (index, role) in [(1, ParameterRole.gamma), (2, .beta)] {
      guard let constant = try node.optionalConstant(index) else { continue }
      parameters[role] = GraphDraft.Parameter(
        constant: try constant.squeezed(toRank: rank - axis), layout: nil)
    }
    if node.operation == "RMSNormalization" {
      guard parameters[.beta] == nil else { throw .noSuchOutput(0) }
      return try graph.draft(
        RMSNormalization(epsilon: epsilon, axis: axes), [input], parameters, batch: input.batch)
    }
    return try graph.draft(
      LayerNormalization(epsilon: epsilon, axis: axes), [input], parameters, batch: input.batch)
  }

  private static func groups(
    _ node: MappedONNXNode, _ input: GraphValue, _ epsilon: Double, _ axes: GraphDraft.Axes,
    _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue {
    guard let groups = node.integer("num_groups") else { throw .missingAttribute("num_groups") }
    guard let channels = input.shape.dimensions[0], groups > 0, channels % groups == 0 else {
      throw .openChannels(input.shape)
    }
    var parameters: [ParameterRole: GraphDraft.Parameter] = [:]
    for (index, role) in [(1, ParameterRole.gamma), (2, .beta)] {
      var constant = try node.constant(index)
      if node.opset < 21 {
        // One value per group, shared by its channels.
        guard constant.count == groups else {
          throw .wrongRankOfConstant(constant.shape, expected: 1)
        }
        _ = try foldedCount(of: [channels])
        let numbers = try constant.numbers()
        constant = GraphConstant(
          numbers.flatMap { [Double](repeating: $0, count: channels / groups) },
          shape: [channels], type: constant.type, path: constant.path)
      }
      parameters[role] = GraphDraft.Parameter(constant: constant, layout: nil)
    }
    return try graph.draft(
      GroupNormalization(groups: groups, epsilon: epsilon), [input], parameters, axes: axes)
  }
}

extension GraphConstant {
  /// Removes leading axes of size 1 down to the given rank.
  fileprivate func squeezed(toRank rank: Int) throws(NetconvError) -> GraphConstant {
    let extra = shape.count - rank
    guard extra > 0, shape.prefix(extra).allSatisfy({ $0 == 1 }) else { return self }
    return try reshaped(Array(shape.suffix(rank)))
  }
}
