import ModelIR
import Operators

/// Normalisations in one operation.
///
/// Source: onnx/docs/Operators.md; opset 18 and 21 for the scales of `GroupNormalization`.
enum ONNXNormalization: ONNXOperation {
  static let names = [
    "BatchNormalization", "GroupNormalization", "InstanceNormalization", "LayerNormalization",
    "LpNormalization", "RMSNormalization",
  ]
  static let operators: [any Operator.Type] = [
    BatchNormalization.self, GroupNormalization.self, LayerNormalization.self,
    RMSNormalization.self, UnitNormalization.self,
  ]
  static let refused = [
    "training_mode, where means are taken over what is fed",
    "the mean and the deviation as outputs",
    "LpNormalization by other norms than the second",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
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
    case "GroupNormalization": return [.value(try groups(node, input, epsilon, first, &graph))]
    case "LayerNormalization", "RMSNormalization":
      return [.value(try layer(node, input, epsilon, &graph))]
    default:
      guard node.integer("p", default: 2) == 2 else {
        throw .unknownSetting("p", "\(node.integer("p", default: 2))", known: ["2"])
      }
      let axis = try input.sampleAxis(node.integer("axis", default: -1))
      // Nothing keeps a length of 0 from dividing.
      return [
        .value(
          try graph.draft(
            UnitNormalization(smallestNorm: 1e-30, axis: AxisList([axis - input.shape.rank])),
            [input]))
      ]
    }
  }

  /// The constants behind the input, which are vectors.
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
      return try graph.draft(RMSNormalization(epsilon: epsilon, axis: axes), [input], parameters)
    }
    return try graph.draft(LayerNormalization(epsilon: epsilon, axis: axes), [input], parameters)
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
        // One number for each group, which its channels share.
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
  /// The same values with so many axes, those in front of size 1 left out.
  fileprivate func squeezed(toRank rank: Int) throws(NetconvError) -> GraphConstant {
    let extra = shape.count - rank
    guard extra > 0, shape.prefix(extra).allSatisfy({ $0 == 1 }) else { return self }
    return try reshaped(Array(shape.suffix(rank)))
  }
}
