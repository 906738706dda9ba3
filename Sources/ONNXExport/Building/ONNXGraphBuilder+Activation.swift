import ModelIR
import Operators

extension ONNXGraphBuilder {
  /// Applies an activation function to a value.
  mutating func activate(
    _ value: ONNXValue, _ function: ActivationFunction
  ) throws(NetconvError) -> ONNXValue {
    guard !function.isLinear else { return value }
    let value = expanded(value)
    let name: String
    if let axis = function.axis {
      let axes = try axis.indices(rank: value.shape.rank).map { value.axis($0) }
      name = softmax(value.name, axes, isLogarithm: function.isLogSoftmax)
    } else {
      name = apply(function, to: value.name)
    }
    return ONNXValue(name: name, order: value.order, shape: value.shape)
  }

  private mutating func softmax(_ x: String, _ axes: [Int], isLogarithm: Bool) -> String {
    guard axes.count > 1 else {
      return add(isLogarithm ? "LogSoftmax" : "Softmax", [x], .int("axis", axes[0]))
    }
    let shifted = add("Sub", [x, add("ReduceMax", [x], .ints("axes", axes))])
    let powers = add("Exp", [shifted])
    let sum = add("ReduceSum", [powers, ints(axes)])
    return isLogarithm ? add("Sub", [shifted, add("Log", [sum])]) : add("Div", [powers, sum])
  }

  /// Applies an element-wise activation function.
  private mutating func apply(_ function: ActivationFunction, to x: String) -> String {
    switch function {
    case .linear, .softmax, .logSoftmax: x
    case .relu(let maxValue, let negativeSlope, let threshold):
      rectify(x, maxValue, negativeSlope, threshold)
    case .leakyReLU(let slope): add("LeakyRelu", [x], .float("alpha", slope))
    case .elu(let alpha): add("Elu", [x], .float("alpha", alpha))
    case .celu(let alpha): celu(x, alpha)
    case .selu: add("Selu", [x])
    case .sigmoid: add("Sigmoid", [x])
    case .hardSigmoid(let slope): hardSigmoid(x, slope)
    case .sparseSigmoid: hardSigmoid(x, 0.5)
    case .logSigmoid: add("Neg", [add("Softplus", [add("Neg", [x])])])
    case .tanh: add("Tanh", [x])
    case .hardTanh: add("Clip", [x, float(-1), float(1)])
    case .tanhShrink: add("Sub", [x, add("Tanh", [x])])
    case .silu: add("Mul", [x, add("Sigmoid", [x])])
    case .hardSilu: add("HardSwish", [x])
    case .gelu(let approximate): add("Mul", [x, approximate ? normalByTanh(x) : normal(x)])
    case .mish: add("Mul", [x, add("Tanh", [add("Softplus", [x])])])
    case .exponential: add("Exp", [x])
    case .softplus: add("Softplus", [x])
    case .squareplus(let b): squareplus(x, b)
    case .sparsePlus: sparsePlus(x)
    case .softsign: add("Softsign", [x])
    case .hardShrink(let threshold): shrink(x, threshold, bias: 0)
    case .softShrink(let threshold): shrink(x, threshold, bias: threshold)
    case .threshold(let threshold, let value):
      add("Where", [add("LessOrEqual", [x, float(threshold)]), float(value), x])
    }
  }

  private mutating func rectify(
    _ x: String, _ maxValue: Double?, _ slope: Double, _ threshold: Double
  ) -> String {
    switch (maxValue, slope, threshold) {
    case (nil, 0, 0): return add("Relu", [x])
    case (nil, _, 0): return add("LeakyRelu", [x], .float("alpha", slope))
    case (let most?, 0, 0) where most >= 0: return add("Clip", [x, float(0), float(most)])
    default: break
    }
    let above = maxValue.map { add("Min", [x, float($0)]) } ?? x
    let below =
      slope == 0
      ? float(0) : add("Mul", [add("Sub", [x, float(threshold)]), float(slope)])
    return add("Where", [add("GreaterOrEqual", [x, float(threshold)]), above, below])
  }

  /// ONNX defines `Celu` by a maximum and a minimum, which differs from this function for negative alpha.
  private mutating func celu(_ x: String, _ alpha: Double) -> String {
    guard alpha < 0 else { return add("Celu", [x], .float("alpha", alpha)) }
    let power = add("Sub", [add("Exp", [add("Div", [x, float(alpha)])]), float(1)])
    let below = add("Mul", [power, float(alpha)])
    return add("Where", [add("Less", [x, float(0)]), below, x])
  }

  private mutating func hardSigmoid(_ x: String, _ slope: Double) -> String {
    add("HardSigmoid", [x], .float("alpha", slope), .float("beta", 0.5))
  }

  private mutating func shrink(_ x: String, _ threshold: Double, bias: Double) -> String {
    add("Shrink", [x], .float("bias", bias), .float("lambd", threshold))
  }

  private mutating func squareplus(_ x: String, _ b: Double) -> String {
    let root = add("Sqrt", [add("Add", [add("Mul", [x, x]), float(b)])])
    return add("Mul", [add("Add", [x, root]), float(0.5)])
  }

  /// Computes (x + 1)²/4 of x clamped to the range from -1 to 1, plus the excess above 1.
  private mutating func sparsePlus(_ x: String) -> String {
    let middle = add("Add", [add("Clip", [x, float(-1), float(1)]), float(1)])
    let square = add("Mul", [add("Mul", [middle, middle]), float(0.25)])
    return add("Add", [square, add("Relu", [add("Sub", [x, float(1)])])])
  }

  /// Computes (1 + erf(x/√2))/2.
  private mutating func normal(_ x: String) -> String {
    let error = add("Erf", [add("Div", [x, float(2.0.squareRoot())])])
    return add("Mul", [add("Add", [error, float(1)]), float(0.5)])
  }

  private mutating func normalByTanh(_ x: String) -> String {
    let cube = add("Mul", [add("Mul", [add("Mul", [x, x]), x]), float(0.044715)])
    let inner = add("Mul", [add("Add", [x, cube]), float((2 / Double.pi).squareRoot())])
    return add("Mul", [add("Add", [add("Tanh", [inner]), float(1)]), float(0.5)])
  }
}

extension ActivationFunction {
  fileprivate var isLogSoftmax: Bool { if case .logSoftmax = self { true } else { false } }
}
