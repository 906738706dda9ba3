import FlatBuffers
import ModelIR
import Operators

extension Activation: TFLiteForm {
  static var tfliteOperations: String {
    "`RELU`, `RELU6`, `RELU_N1_TO_1`, `LEAKY_RELU`, `ELU`, `LOGISTIC`, `TANH`, `HARD_SWISH`, `GELU`, `SOFTMAX`, "
      + "`LOG_SOFTMAX`; others spelled out"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] { [try graph.activate(x[0], function)] }
}

extension PReLU: TFLiteForm {
  static var tfliteOperations: String { "`PRELU`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let alpha = try layer.required(.alpha)
    try graph.check(.prelu, x[0].sizes.count, most: 4)
    let slopes = try graph.along(Array(0..<x[0].rank), alpha, rank: x[0].rank)
    return [graph.add(.prelu, [x[0], slopes], sizes: x[0].sizes)]
  }
}

extension Elementwise: TFLiteForm {
  static var tfliteOperations: String {
    "`ABS`, `CEIL`, `COS`, `EXP`, `FLOOR`, `LOG`, `POW`, `ROUND`, `RSQRT`, `SIGN`, `SIN`, `SQRT`, `DIV`, `EQUAL`; "
      + "refused: inverse trigonometric and hyperbolic functions, hyperbolic sine and cosine, erf"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] { [try apply(to: x[0], &graph)] }

  private func apply(
    to x: TFLiteValue, _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> TFLiteValue {
    switch function {
    case .absolute: graph.unary(.abs, x)
    case .ceiling: graph.unary(.ceil, x)
    case .cosine: graph.unary(.cos, x)
    case .exponentialMinusOne: try graph.add(graph.unary(.exp, x), -1)
    case .floor: graph.unary(.floor, x)
    case .logarithm: graph.unary(.log, x)
    case .logarithmOfOnePlus: graph.unary(.log, try graph.add(x, 1))
    case .not: graph.cast(try graph.compare(.equal, x, graph.float(0)), to: .float32)
    case .power: try graph.binary(.pow, x, graph.float(exponent ?? 1))
    case .reciprocal: try graph.binary(.div, graph.float(1), x)
    case .reciprocalSquareRoot: graph.unary(.rsqrt, x)
    case .round: graph.unary(.round, x)
    case .sign: graph.unary(.sign, x)
    case .sine: graph.unary(.sin, x)
    case .squareRoot: graph.unary(.sqrt, x)
    case .tangent: try graph.binary(.div, graph.unary(.sin, x), graph.unary(.cos, x))
    case .truncate:
      try graph.binary(.mul, graph.unary(.sign, x), graph.unary(.floor, graph.unary(.abs, x)))
    case .arcCosine, .arcSine, .arcTangent, .complementaryErrorFunction, .errorFunction,
      .hyperbolicCosine, .hyperbolicSine, .inverseHyperbolicCosine, .inverseHyperbolicSine,
      .inverseHyperbolicTangent:
      throw .notInTFLite("the function \(function.rawValue)")
    }
  }
}

extension Pairwise: TFLiteForm {
  static var tfliteOperations: String {
    "`EQUAL`, `GREATER`, `GREATER_EQUAL`, `LESS`, `LESS_EQUAL`, `LOGICAL_AND`, `LOGICAL_OR`, `NOT_EQUAL`, with `CAST` "
      + "from and to truth values; `DIV`, `FLOOR`, `FLOOR_MOD`, `POW`"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let result =
      switch function {
      case .and: try logical(.logicalAnd, x, &graph)
      case .or: try logical(.logicalOr, x, &graph)
      case .equal: try graph.compare(.equal, x[0], x[1])
      case .greater: try graph.compare(.greater, x[0], x[1])
      case .greaterOrEqual: try graph.compare(.greaterEqual, x[0], x[1])
      case .less: try graph.compare(.less, x[0], x[1])
      case .lessOrEqual: try graph.compare(.lessEqual, x[0], x[1])
      case .notEqual: try graph.compare(.notEqual, x[0], x[1])
      case .floorQuotient: graph.unary(.floor, try graph.binary(.div, x[0], x[1]))
      case .modulo: try graph.binary(.floorMod, x[0], x[1])
      case .power: try graph.binary(.pow, x[0], x[1])
      case .remainder: try remainder(x, &graph)
      }
    return [graph.cast(result, to: .float32)]
  }

  private func logical(
    _ type: TFLiteBuiltin, _ x: [TFLiteValue], _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> TFLiteValue {
    try graph.binary(type, graph.truth(of: x[0]), graph.truth(of: x[1]), as: .truth)
  }

  /// Computes the remainder with the sign of the dividend, from that of magnitudes, which is exact.
  private func remainder(
    _ x: [TFLiteValue], _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> TFLiteValue {
    let rest = try graph.binary(.floorMod, graph.unary(.abs, x[0]), graph.unary(.abs, x[1]))
    return try graph.binary(.mul, graph.unary(.sign, x[0]), rest)
  }
}

extension Where: TFLiteForm {
  static var tfliteOperations: String { "`SELECT_V2`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    [try graph.choose(graph.truth(of: x[0]), x[1], x[2])]
  }
}

extension TFLiteGraphBuilder {
  /// Adds a parameter for broadcasting with values, with size 1 for the axes that it does not have.
  ///
  /// - Parameters:
  ///   - axes: the sample axes of the parameter's axes, in ascending order.
  ///   - rank: the number of axes of a sample.
  mutating func along(
    _ axes: [Int], _ tensor: Tensor, rank: Int
  ) throws(NetconvError) -> TFLiteValue {
    let own = tensor.spec.layout
    let counts = own.dimensions.map { $0.axes.reduce(1) { $0 * (tensor.spec.sizes[$1] ?? 1) } }
    guard axes != Array(rank - axes.count..<rank) else { return try parameter(tensor) }
    var sizes = [Int](repeating: 1, count: rank)
    for (axis, count) in zip(axes, counts) { sizes[axis] = count }
    return try parameter(tensor, shape: sizes)
  }
}
