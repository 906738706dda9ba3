import ModelIR
import Operators

/// Quantised weights and activations: integers with a scale and a zero point.
///
/// Quantised values are integers stored as float32. Integer products are exact for sums up to 2²⁴. They are scaled,
/// rounded half to even and clamped as in ONNX Runtime.
///
/// Source: onnx/docs/Operators.md, `QuantizeLinear`, `DequantizeLinear`, `QLinearConv`, `QLinearMatMul`, `ConvInteger` and
/// `MatMulInteger`.
enum ONNXQuantization: ONNXOperation {
  static let names = [
    "ConvInteger", "DequantizeLinear", "DynamicQuantizeLinear", "MatMulInteger", "QLinearConv",
    "QLinearMatMul", "QuantizeLinear",
  ]
  static let operators: [any Operator.Type] =
    ONNXConvolution.operators + ONNXProduct.operators + [
      Activation.self, Add.self, Constant.self, Divide.self, Elementwise.self, Maximum.self,
      Minimum.self, Pairwise.self, Reduce.self, Rescaling.self, Scale.self, Subtract.self,
      Where.self,
    ]
  static let refused = [
    "DynamicQuantizeLinear over a batch of open size", "scales of blocks", "types of 4 bits",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let block = node.integer("block_size", default: 0)
    guard block == 0 else { throw .unknownSetting("block_size", "\(block)", known: ["0"]) }
    switch node.operation {
    case "DequantizeLinear": return [try dequantized(node, &graph)]
    case "DynamicQuantizeLinear": return try dynamicallyQuantized(node.value(0), &graph).results
    case "QuantizeLinear":
      let axis = node.integer("axis", default: 1)
      let scale = try ONNXScale(node, scale: 1, zeroPoint: 2, axis: axis)
      return [try scale.quantized(node.input(0), &graph)]
    case "ConvInteger":
      return [
        try convolution(
          node, node.input(0), ONNXScale(node, scale: nil, zeroPoint: 2, axis: 0),
          node.constant(1), ONNXScale(node, scale: nil, zeroPoint: 3, axis: 0), bias: nil, &graph)
      ]
    case "QLinearConv":
      let (x, w) = (
        try ONNXScale(node, scale: 1, zeroPoint: 2, axis: 0),
        try ONNXScale(node, scale: 4, zeroPoint: 5, axis: 0)
      )
      let sums = try convolution(
        node, node.input(0), x, node.constant(3), w, bias: node.optional(8), &graph)
      let y = try ONNXScale(node, scale: 6, zeroPoint: 7, axis: 1)
      return [try y.requantized(sums, x, w, axis: 1, &graph)]
    case "MatMulInteger":
      return [
        try product(
          node.input(0), ONNXScale(node, scale: nil, zeroPoint: 2, axis: -2), node.input(1),
          ONNXScale(node, scale: nil, zeroPoint: 3, axis: -1), &graph)
      ]
    default:
      let (a, b) = (
        try ONNXScale(node, scale: 1, zeroPoint: 2, axis: -2),
        try ONNXScale(node, scale: 4, zeroPoint: 5, axis: -1)
      )
      let sums = try product(node.input(0), a, node.input(3), b, &graph)
      let y = try ONNXScale(node, scale: 6, zeroPoint: 7, axis: -1)
      return [try y.requantized(sums, a, b, axis: -1, &graph)]
    }
  }

  /// Quantises values to uint8, with a scale and a zero point that follow from their range.
  ///
  /// These keep the axes of the values, with size 1, which broadcasts as a single number does.
  static func dynamicallyQuantized(
    _ x: GraphValue, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> (scale: ONNXScale, results: [GraphResult]) {
    // The range is that of the whole batch.
    guard x.batch == nil || graph.batchSize == 1 else { throw .dynamicScale }
    func end(
      _ function: Reduce.Function, _ limit: PointFunction
    ) throws(NetconvError) -> GraphResult {
      let end = try graph.reduce(
        function, .value(x), axes: Array(0..<x.rank), keepDimensions: true)
      return try graph.apply(limit, [end, .number(0)])
    }
    let (low, high) = (try end(.minimum, .minimum), try end(.maximum, .maximum))
    let range = try graph.apply(.subtract, [high, low])
    let steps = GraphConstant([255], shape: [], type: .float32, path: "\(graph.node)/steps")
    var scale = GraphResult.value(
      try graph.divide(graph.value([range], 0), exactlyBy: steps))
    scale = try graph.apply(
      .select, [graph.apply(.equal, [scale, .number(0)]), .number(1), scale])
    let fraction = try graph.apply(.negative, [graph.apply(.divide, [low, scale])])
    let zeroPoint = try ONNXScale.clamped(
      graph.apply(.round, [fraction]), to: .number(.uint8), &graph)
    let whole = ONNXScale(fedScale: scale, zeroPoint: zeroPoint)
    return (whole, [try whole.quantized(.value(x), &graph), scale, zeroPoint])
  }

  private static func dequantized(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let scale = try ONNXScale(
      node, scale: 1, zeroPoint: 2, axis: node.integer("axis", default: 1))
    guard case .constant(let integers) = try node.input(0) else {
      return try scale.dequantized(node.input(0), &graph)
    }
    return .constant(try integers.scaled(by: scale, at: graph.node))
  }

  /// Drafts an integer convolution.
  private static func convolution(
    _ node: MappedONNXNode, _ x: GraphResult, _ own: ONNXScale, _ kernel: GraphConstant,
    _ other: ONNXScale, bias: GraphResult?, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    // Pixels around the image are zeros after the zero point is subtracted.
    let integers = try own.centred(x, &graph)
    let weights = try kernel.scaled(by: other.withoutScale, at: graph.node)
    let plain = MappedONNXNode(
      node: node.node, inputs: [integers, .constant(weights), bias],
      types: [])
    return .value(try ONNXConvolution.convolution(plain, &graph))
  }

  private static func product(
    _ a: GraphResult, _ first: ONNXScale, _ b: GraphResult, _ second: ONNXScale,
    _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let left = try first.centred(a, &graph)
    let right: GraphResult
    if case .constant(let matrix) = b {
      right = .constant(try matrix.scaled(by: second.withoutScale, at: graph.node))
    } else {
      right = try second.centred(b, &graph)
    }
    return .value(try graph.multiply([left, right], isBatched: true))
  }
}

/// A quantisation: real = (integer - zero point) · scale.
struct ONNXScale {
  /// A scale for all values, or for each index of the axis.
  private let scales: [Double]
  private let zeroPoints: [Double]
  /// The quantised axis, if there are several scales or zero points.
  private let axis: Int
  /// The integer type.
  private let type: GraphElement
  /// A scale and a zero point that follow from what is fed, in place of the numbers.
  private var fed: (scale: GraphResult?, zeroPoint: GraphResult?) = (nil, nil)

  private init(scales: [Double], zeroPoints: [Double], axis: Int, type: GraphElement) {
    (self.scales, self.zeroPoints, self.axis, self.type) = (scales, zeroPoints, axis, type)
  }

  /// Creates a quantisation to uint8 whose numbers follow from what is fed.
  init(fedScale: GraphResult, zeroPoint: GraphResult) {
    self.init(scales: [1], zeroPoints: [0], axis: 0, type: .number(.uint8))
    fed = (fedScale, zeroPoint)
  }

  /// Reads the quantisation from a node's inputs.
  ///
  /// - Parameters:
  ///   - scale: the index of the scale input; `nil` for a scale of 1.
  ///   - zeroPoint: the index of the zero point input, which also has the integer type; if omitted, 0 and uint8.
  /// - Throws: `badData` if their count is not that of an axis.
  init(
    _ node: MappedONNXNode, scale: Int?, zeroPoint: Int, axis: Int
  ) throws(NetconvError) {
    func constant(
      _ index: Int?, _ fed: inout GraphResult?
    ) throws(NetconvError) -> GraphConstant? {
      guard let index, let input = node.optional(index) else { return nil }
      guard case .value = input else { return try node.constant(index) }
      fed = input
      return nil
    }
    if let scale { _ = try node.input(scale) }
    let stated = try constant(scale, &fed.scale)
    let zeros = try constant(zeroPoint, &fed.zeroPoint)
    for constant in [stated, zeros].compactMap(\.self) where constant.shape.count > 1 {
      guard constant.count == 1 || constant.shape.count(where: { $0 > 1 }) == 1 else {
        throw .wrongRankOfConstant(constant.shape, expected: 1)
      }
    }
    scales = try stated?.numbers() ?? [1]
    zeroPoints = try zeros?.numbers() ?? [0]
    self.axis = axis
    type = zeros?.type ?? .number(.uint8)
    guard scales.count == zeroPoints.count || scales.count == 1 || zeroPoints.count == 1 else {
      throw .wrongRankOfConstant([zeroPoints.count], expected: 1)
    }
  }

  /// The same quantisation with a scale of 1.
  var withoutScale: ONNXScale {
    var plain = ONNXScale(scales: [1], zeroPoints: zeroPoints, axis: axis, type: type)
    plain.fed.zeroPoint = fed.zeroPoint
    return plain
  }

  /// The axis of scales and zero points; `nil` for per-tensor quantisation.
  fileprivate func axis(rank: Int) throws(NetconvError) -> Int? {
    scales.count == 1 && zeroPoints.count == 1 ? nil : try resolvedAxis(axis, rank: rank)
  }

  /// Subtracts the zero point from integers.
  func centred(_ x: GraphResult, _ graph: inout GraphBuilder) throws(NetconvError) -> GraphResult {
    if let zeroPoint = fed.zeroPoint { return try graph.apply(.subtract, [x, zeroPoint]) }
    if zeroPoints.allSatisfy({ $0 == 0 }) { return x }
    return try graph.apply(
      .subtract, [x, .constant(numbers(zeroPoints, beside: x, "zero point", graph))])
  }

  /// Dequantises integers to real numbers.
  func dequantized(
    _ x: GraphResult, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    if let scale = fed.scale {
      return try graph.apply(.multiply, [centred(x, &graph), scale])
    }
    return try graph.apply(
      .multiply, [centred(x, &graph), .constant(numbers(scales, beside: x, "scale", graph))])
  }

  /// Quantises real numbers to the nearest integers.
  func quantized(
    _ x: GraphResult, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    if let scale = fed.scale {
      return try rounded(graph.apply(.divide, [x, scale]), beside: x, &graph)
    }
    let divisor = try numbers(scales, beside: x, "scale", graph)
    return try rounded(
      .value(graph.divide(graph.value([x], 0), exactlyBy: divisor)), beside: x, &graph)
  }

  /// Requantises sums of integer products to this scale.
  func requantized(
    _ sums: GraphResult, _ a: ONNXScale, _ b: ONNXScale, axis: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    guard a.scales.count == 1, scales.count == 1 else {
      throw .wrongRankOfConstant([a.scales.count], expected: 0)
    }
    for scale in [self, a, b] { try scale.checkConstant(graph.operation) }
    // Computed in float32, as in ONNX Runtime.
    let factors = b.scales.map { Double(Float(a.scales[0]) * Float($0) / Float(scales[0])) }
    let placed = ONNXScale(scales: factors, zeroPoints: [0], axis: axis, type: type)
    let scaled = try graph.apply(
      .multiply, [sums, .constant(placed.numbers(factors, beside: sums, "factor", graph))])
    return try rounded(scaled, beside: sums, &graph)
  }

  /// Rounds half to even, adds the zero point, and clamps to the range of the type.
  private func rounded(
    _ x: GraphResult, beside model: GraphResult, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    var result = try graph.apply(.round, [x])
    if let zeroPoint = fed.zeroPoint {
      result = try graph.apply(.add, [result, zeroPoint])
    } else if zeroPoints.contains(where: { $0 != 0 }) {
      result = try graph.apply(
        .add, [result, .constant(numbers(zeroPoints, beside: model, "zero point", graph))])
    }
    return try Self.clamped(result, to: type, &graph)
  }

  /// Clamps numbers to the range of an integer type.
  static func clamped(
    _ x: GraphResult, to type: GraphElement, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    guard let range = type.integers, type.isNarrow else { throw .unreadType(type.name) }
    let above = try graph.apply(.maximum, [x, .number(range.lowerBound)])
    return try graph.apply(.minimum, [above, .number(range.upperBound)])
  }

  /// Checks that the numbers do not follow from what is fed.
  fileprivate func checkConstant(_ operation: String) throws(NetconvError) {
    guard fed.scale == nil else { throw .expectedConstant(1, operation) }
    guard fed.zeroPoint == nil else { throw .expectedConstant(2, operation) }
  }

  /// A constant of numbers that is broadcast to values along the axis.
  private func numbers(
    _ numbers: [Double], beside x: GraphResult, _ name: String, _ graph: GraphBuilder
  ) throws(NetconvError) -> GraphConstant {
    var shape: [Int] = []
    if numbers.count != 1 {
      let rank: Int
      switch x {
      case .constant(let constant): rank = constant.shape.count
      default: rank = try graph.value([x], 0).rank
      }
      shape = [Int](repeating: 1, count: rank)
      shape[try resolvedAxis(axis, rank: rank)] = numbers.count
    }
    return GraphConstant(
      numbers, shape: shape, type: .float32, path: "\(graph.node)/\(name)")
  }

  /// The scale and the zero point for each index of an axis of the given size.
  fileprivate func numbers(
    places count: Int
  ) throws(NetconvError) -> (scales: [Float], zeroPoints: [Float]) {
    let all = [scales, zeroPoints].map {
      $0.count == 1 ? [Double](repeating: $0[0], count: count) : $0
    }
    guard all.allSatisfy({ $0.count == count }) else {
      throw .wrongRankOfConstant([scales.count], expected: 1)
    }
    return (all[0].map { Float($0) }, all[1].map { Float($0) })
  }
}

extension GraphConstant {
  /// The dequantised values, computed when they are read.
  func scaled(
    by scale: ONNXScale, at node: String
  ) throws(NetconvError) -> GraphConstant {
    try scale.checkConstant("DequantizeLinear")
    var (inner, channels) = (count, 1)
    if let axis = try scale.axis(rank: shape.count) {
      inner = shape[(axis + 1)...].reduce(1, *)
      channels = shape[axis]
    }
    let numbers = try scale.numbers(places: channels)
    let plain = try reshaped(shape)
    return GraphConstant(
      type: .float32, shape: plain.shape, name: name ?? node,
      source: DequantizedIntegers(
        integers: plain.source, scales: numbers.scales, zeroPoints: numbers.zeroPoints,
        inner: inner))
  }
}

extension NetconvError {
  fileprivate static var dynamicScale: NetconvError {
    NetconvError(
      .badData,
      text:
        "the scale is that of the whole batch, whose size is not 1; state a batch of 1 with \(.graphInput), such as "
        + "name=1x16")
  }
}
