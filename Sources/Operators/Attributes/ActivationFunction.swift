import ModelIR

/// A function applied to the values of a layer, one by one (softmax and its kin: along an axis).
public enum ActivationFunction: Sendable, Equatable {
  /// x.
  case linear
  /// 0 below the threshold with slope `negativeSlope`, x above, capped at `maxValue`.
  case relu(maxValue: Double?, negativeSlope: Double, threshold: Double)
  /// x above 0, `negativeSlope` times x below.
  case leakyReLU(negativeSlope: Double)
  /// x above 0, `alpha` times (e^x - 1) below.
  case elu(alpha: Double)
  /// 1 / (1 + e^-x).
  case sigmoid
  /// The hyperbolic tangent.
  case tanh
  /// e^x over the sum of all e^x along the axes.
  case softmax(axis: AxisList)
  /// The logarithm of softmax.
  case logSoftmax(axis: AxisList)
  /// e^x.
  case exponential
  /// log(1 + e^x).
  case softplus
  /// x / (1 + |x|).
  case softsign
  /// x kept from -1 to 1.
  case hardTanh
  /// slope · x + 0.5, kept from 0 to 1: a slope of 1/6 in Keras 3, of 0.2 in Keras 2.
  case hardSigmoid(slope: Double)
  /// x · sigmoid(x), also called swish.
  case silu
  /// x · hardSigmoid(x) with a slope of 1/6, also called hard swish.
  case hardSilu
  /// x times the normal distribution function of x, or an approximation of it with tanh.
  case gelu(approximate: Bool)
  /// λx above 0, λα (e^x - 1) below, with the numbers of self-normalising networks.
  case selu
  /// x · tanh(softplus(x)).
  case mish
  /// x above 0, `alpha` times (e^(x / alpha) - 1) below.
  case celu(alpha: Double)
  /// log(sigmoid(x)).
  case logSigmoid
  /// x beyond `threshold` on either side, 0 between.
  case hardShrink(threshold: Double)
  /// x less `threshold` above it, x plus `threshold` below -`threshold`, 0 between.
  case softShrink(threshold: Double)
  /// x - tanh(x).
  case tanhShrink
  /// 0 below -1, (x + 1)² / 4 up to 1, x above.
  case sparsePlus
  /// (x + 1) / 2, kept from 0 to 1.
  case sparseSigmoid
  /// (x + √(x² + b)) / 2.
  case squareplus(b: Double)
  /// x above the threshold, `value` up to it.
  case threshold(threshold: Double, value: Double)

  /// max(x, 0).
  public static let relu = ActivationFunction.relu(maxValue: nil, negativeSlope: 0, threshold: 0)
  /// min(max(x, 0), 6).
  public static let relu6 = ActivationFunction.relu(maxValue: 6, negativeSlope: 0, threshold: 0)

  /// λ of ``selu``.
  package static let seluScale = 1.0507009873554805
  /// α of ``selu``.
  package static let seluAlpha = 1.6732632423543772

  /// Whether the function leaves everything as it is.
  public var isLinear: Bool { self == .linear }

  /// Checks that the function can be applied to `shape`.
  func check(_ shape: Shape) throws(NetconvError) {
    if let axis { _ = try axis.indices(rank: shape.rank) }
  }

  /// The axes along which values depend on each other, if they do.
  package var axis: AxisList? {
    switch self {
    case .softmax(let axis), .logSoftmax(let axis): axis
    default: nil
    }
  }
}

/// An axis counted without the batch, negative ones from the end, as an index.
///
/// - Throws: `badData` if there is no such axis.
func resolve(axis: Int, rank: Int) throws(NetconvError) -> Int {
  guard (-rank..<rank).contains(axis) else { throw .axisOutOfRange(axis, rank: rank) }
  return axis < 0 ? axis + rank : axis
}
