import FlatBuffers
import ModelIR
import Operators

extension TFLiteGraphBuilder {
  /// Applies an activation function to a value.
  mutating func activate(
    _ x: TFLiteValue, _ function: ActivationFunction
  ) throws(NetconvError) -> TFLiteValue {
    guard let axis = function.axis else { return try apply(function, to: x) }
    let axes = try axis.indices(rank: x.rank).map { $0 + 1 }
    return try softmax(x, axes, isLogarithm: function.isLogSoftmax)
  }

  /// Computes the softmax; the kernel does so along the last axis.
  private mutating func softmax(
    _ x: TFLiteValue, _ axes: [Int], isLogarithm: Bool
  ) throws(NetconvError) -> TFLiteValue {
    if axes == [x.rank] {
      return isLogarithm
        ? unary(.logSoftmax, x, (36, [:])) : unary(.softmax, x, (9, [0: .float(1)]))
    }
    let shifted = try binary(.sub, x, reduce(.reduceMax, x, along: axes))
    let powers = unary(.exp, shifted)
    let sum = reduce(.sum, powers, along: axes)
    return isLogarithm
      ? try binary(.sub, shifted, unary(.log, sum)) : try binary(.div, powers, sum)
  }

  /// Applies an element-wise activation function.
  private mutating func apply(
    _ function: ActivationFunction, to x: TFLiteValue
  ) throws(NetconvError) -> TFLiteValue {
    switch function {
    case .linear, .softmax, .logSoftmax: x
    case .relu(let maxValue, let negativeSlope, let threshold):
      try rectify(x, maxValue, negativeSlope, threshold)
    case .leakyReLU(let slope): leaky(x, slope)
    case .elu(let alpha): try exponentialLinear(x, alpha)
    case .celu(let alpha): try celu(x, alpha)
    case .selu: try selu(x)
    case .sigmoid: unary(.logistic, x)
    case .hardSigmoid(let slope): try hardSigmoid(x, slope)
    case .sparseSigmoid: try hardSigmoid(x, 0.5)
    case .logSigmoid: unary(.neg, try softplus(unary(.neg, x)))
    case .tanh: unary(.tanh, x)
    case .hardTanh: unary(.reluN1To1, x)
    case .tanhShrink: try binary(.sub, x, unary(.tanh, x))
    case .silu: try binary(.mul, x, unary(.logistic, x))
    case .hardSilu: unary(.hardSwish, x, (91, [:]))
    case .gelu(let approximate): unary(.gelu, x, (116, [0: .flag(approximate)]))
    case .mish: try binary(.mul, x, unary(.tanh, softplus(x)))
    case .exponential: unary(.exp, x)
    case .softplus: try softplus(x)
    case .squareplus(let b): try squareplus(x, b)
    case .sparsePlus: try sparsePlus(x)
    case .softsign: try binary(.div, x, add(unary(.abs, x), 1))
    case .hardShrink(let threshold):
      try choose(compare(.greater, unary(.abs, x), float(threshold)), x, float(0))
    case .softShrink(let threshold): try softShrink(x, threshold)
    case .threshold(let threshold, let value):
      try choose(compare(.lessEqual, x, float(threshold)), float(value), x)
    }
  }

  /// Adds a number to each value.
  mutating func add(_ x: TFLiteValue, _ number: Double) throws(NetconvError) -> TFLiteValue {
    try binary(.add, x, float(number))
  }

  /// Multiplies each value by a number.
  mutating func scale(_ x: TFLiteValue, _ number: Double) throws(NetconvError) -> TFLiteValue {
    try binary(.mul, x, float(number))
  }

  private mutating func leaky(_ x: TFLiteValue, _ slope: Double) -> TFLiteValue {
    unary(.leakyRelu, x, (75, [0: .float(Float(slope))]))
  }

  private mutating func rectify(
    _ x: TFLiteValue, _ maxValue: Double?, _ slope: Double, _ threshold: Double
  ) throws(NetconvError) -> TFLiteValue {
    switch (maxValue, slope, threshold) {
    case (nil, 0, 0): return unary(.relu, x)
    case (6, 0, 0): return unary(.relu6, x)
    case (nil, _, 0): return leaky(x, slope)
    case (let most?, 0, 0) where most >= 0:
      return try binary(.minimum, unary(.relu, x), float(most))
    default: break
    }
    let above = try maxValue.map { most throws(NetconvError) in
      try binary(.minimum, x, float(most))
    }
    let below = slope == 0 ? float(0) : try scale(add(x, -threshold), slope)
    return try choose(compare(.greaterEqual, x, float(threshold)), above ?? x, below)
  }

  /// Computes alpha times (e^x - 1) below 0; the kernel has an alpha of 1.
  private mutating func exponentialLinear(
    _ x: TFLiteValue, _ alpha: Double
  ) throws(NetconvError) -> TFLiteValue {
    let power = unary(.elu, x)
    guard alpha != 1 else { return power }
    return try choose(compare(.less, x, float(0)), scale(power, alpha), x)
  }

  private mutating func celu(
    _ x: TFLiteValue, _ alpha: Double
  ) throws(NetconvError) -> TFLiteValue {
    let ratio = try binary(.div, x, float(alpha))
    // With a negative alpha, the exponents are positive.
    let power = alpha > 0 ? unary(.elu, ratio) : try add(unary(.exp, ratio), -1)
    return try choose(compare(.less, x, float(0)), scale(power, alpha), x)
  }

  private mutating func selu(_ x: TFLiteValue) throws(NetconvError) -> TFLiteValue {
    let below = try scale(
      unary(.elu, x), ActivationFunction.seluScale * ActivationFunction.seluAlpha)
    return try choose(
      compare(.less, x, float(0)), below, scale(x, ActivationFunction.seluScale))
  }

  private mutating func hardSigmoid(
    _ x: TFLiteValue, _ slope: Double
  ) throws(NetconvError) -> TFLiteValue {
    try binary(.minimum, unary(.relu, add(scale(x, slope), 0.5)), float(1))
  }

  /// Computes max(x, 0) + log(1 + e^-|x|), which does not overflow.
  private mutating func softplus(_ x: TFLiteValue) throws(NetconvError) -> TFLiteValue {
    let power = unary(.exp, unary(.neg, unary(.abs, x)))
    return try binary(.add, unary(.relu, x), unary(.log, add(power, 1)))
  }

  private mutating func softShrink(
    _ x: TFLiteValue, _ threshold: Double
  ) throws(NetconvError) -> TFLiteValue {
    let below = try choose(
      compare(.less, x, float(-threshold)), add(x, threshold), float(0))
    return try choose(compare(.greater, x, float(threshold)), add(x, -threshold), below)
  }

  private mutating func squareplus(
    _ x: TFLiteValue, _ b: Double
  ) throws(NetconvError) -> TFLiteValue {
    let root = unary(.sqrt, try add(binary(.mul, x, x), b))
    return try scale(binary(.add, x, root), 0.5)
  }

  /// Computes (x + 1)²/4 of x clamped to the range from -1 to 1, plus the excess above 1.
  private mutating func sparsePlus(_ x: TFLiteValue) throws(NetconvError) -> TFLiteValue {
    let middle = try add(unary(.reluN1To1, x), 1)
    let square = try scale(binary(.mul, middle, middle), 0.25)
    return try binary(.add, square, unary(.relu, add(x, -1)))
  }
}

extension ActivationFunction {
  fileprivate var isLogSoftmax: Bool { if case .logSoftmax = self { true } else { false } }
}
