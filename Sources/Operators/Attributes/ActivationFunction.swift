import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A function applied to the values of a layer element by element, or for softmax and log-softmax along axes.
public enum ActivationFunction: Sendable, Equatable {
  /// x.
  case linear
  /// `negativeSlope` · (x - `threshold`) below the threshold; x above, capped at `maxValue`.
  case relu(maxValue: Double?, negativeSlope: Double, threshold: Double)
  /// x for positive x, `negativeSlope` times x otherwise.
  case leakyReLU(negativeSlope: Double)
  /// x for positive x, `alpha` times (e^x - 1) otherwise.
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
  /// x clamped to the range from -1 to 1.
  case hardTanh
  /// slope · x + 0.5, clamped to the range from 0 to 1; the slope is 1/6 in Keras 3, 0.2 in Keras 2.
  case hardSigmoid(slope: Double)
  /// x · sigmoid(x), also called swish.
  case silu
  /// x · hardSigmoid(x) with a slope of 1/6, also called hard swish.
  case hardSilu
  /// x times the cumulative normal distribution function of x, or an approximation of it with tanh.
  case gelu(approximate: Bool)
  /// λx for positive x, λα (e^x - 1) otherwise, with the constants of self-normalising networks.
  case selu
  /// x · tanh(softplus(x)).
  case mish
  /// x for positive x, `alpha` times (e^(x / alpha) - 1) otherwise.
  case celu(alpha: Double)
  /// log(sigmoid(x)).
  case logSigmoid
  /// x where its magnitude exceeds `threshold`, otherwise 0.
  case hardShrink(threshold: Double)
  /// x - `threshold` above `threshold`, x + `threshold` below -`threshold`, otherwise 0.
  case softShrink(threshold: Double)
  /// x - tanh(x).
  case tanhShrink
  /// 0 below -1, (x + 1)² / 4 up to 1, x above.
  case sparsePlus
  /// (x + 1) / 2, clamped to the range from 0 to 1.
  case sparseSigmoid
  /// (x + √(x² + b)) / 2.
  case squareplus(b: Double)
  /// x above the threshold, otherwise `value`.
  case threshold(threshold: Double, value: Double)

  /// max(x, 0).
  public static let relu = ActivationFunction.relu(maxValue: nil, negativeSlope: 0, threshold: 0)
  /// min(max(x, 0), 6).
  public static let relu6 = ActivationFunction.relu(maxValue: 6, negativeSlope: 0, threshold: 0)

  /// λ of ``selu``.
  package static let seluScale = 1.0507009873554805
  /// α of ``selu``.
  package static let seluAlpha = 1.6732632423543772

  /// True for the identity.
  public var isLinear: Bool { self == .linear }

  /// Checks that the function is applicable to `shape`.
  func check(_ shape: Shape) throws(NetconvError) {
    if let axis { _ = try axis.indices(rank: shape.rank) }
  }

  /// The axes along which values depend on each other, if any.
  package var axis: AxisList? {
    switch self {
    case .softmax(let axis), .logSoftmax(let axis): axis
    default: nil
    }
  }

  /// Returns the function with its axes transformed by `move`; unchanged if it has none.
  package func along(_ move: (AxisList) -> AxisList) -> ActivationFunction {
    switch self {
    case .softmax(let axis): .softmax(axis: move(axis))
    case .logSoftmax(let axis): .logSoftmax(axis: move(axis))
    default: self
    }
  }
}

// MARK: - Evaluation

extension ActivationFunction {
  /// Returns the function's value for a single number.
  ///
  /// Source: Keras, `keras.activations`, `keras.ops` and `keras.layers.ReLU`.
  /// - Precondition: the function is element-wise.
  package func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .linear: x
    case .relu(let maxValue, let negativeSlope, let threshold):
      x.isNaN
        ? x
        : x >= threshold
          ? min(x, maxValue ?? .infinity)
          : negativeSlope == 0 ? 0 : negativeSlope * (x - threshold)
    case .leakyReLU(let negativeSlope): x < 0 ? negativeSlope * x : x
    case .elu(let alpha): x < 0 ? alpha * expm1(x) : x
    case .celu(let alpha): x < 0 ? alpha * expm1(x / alpha) : x
    case .selu: Self.seluScale * (x < 0 ? Self.seluAlpha * expm1(x) : x)
    case .sigmoid: _sigmoid(x)
    case .hardSigmoid(let slope): clamp(slope * x + 0.5, 0, 1)
    case .sparseSigmoid: clamp((x + 1) / 2, 0, 1)
    case .logSigmoid: -_softplus(-x)
    case .tanh: _tanh(x)
    case .hardTanh: clamp(x, -1, 1)
    case .tanhShrink: x - _tanh(x)
    case .silu: x == -.infinity ? 0 : x * _sigmoid(x)
    case .hardSilu: x <= -3 ? 0 : x * clamp((x + 3) / 6, 0, 1)
    case .gelu(let approximate): x == -.infinity ? 0 : x * normal(x, approximate)
    case .mish: x == -.infinity ? 0 : x * _tanh(_softplus(x))
    case .exponential: exp(x)
    case .softplus: _softplus(x)
    case .squareplus(let b): (x + (x * x + b).squareRoot()) / 2
    case .sparsePlus: x <= -1 ? 0 : x < 1 ? (x + 1) * (x + 1) / 4 : x
    case .softsign: x / (1 + abs(x))
    case .hardShrink(let threshold): abs(x) <= threshold ? 0 : x
    case .softShrink(let threshold):
      x > threshold ? x - threshold : x < -threshold ? x + threshold : x.isNaN ? x : 0
    case .threshold(let threshold, let value): x <= threshold ? value : x
    case .softmax, .logSoftmax: preconditionFailure("a value alone says nothing")
    }
  }
}

/// Functions under names that do not collide with the enum's cases.
private func _sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }

/// log(1 + e^x) without overflow.
private func _softplus(_ x: Double) -> Double { x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)) }

/// The cumulative normal distribution function.
///
/// Source: Hendrycks and Gimpel, "Gaussian Error Linear Units" (2016).
private func normal(_ x: Double, _ approximate: Bool) -> Double {
  approximate
    ? 0.5 * (1 + _tanh((2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)))
    : 0.5 * erfc(-x / 2.0.squareRoot())
}

/// Clamps x to a range; NaN stays NaN.
private func clamp(_ x: Double, _ lowest: Double, _ highest: Double) -> Double {
  x < lowest ? lowest : x > highest ? highest : x
}

private func _tanh(_ x: Double) -> Double { tanh(x) }
