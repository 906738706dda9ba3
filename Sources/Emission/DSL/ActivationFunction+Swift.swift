import Operators

extension ActivationFunction {
  /// The function as Swift's source has it.
  var swiftText: String {
    switch self {
    case .relu: return self == .relu ? ".relu" : self == .relu6 ? ".relu6" : reluText
    case .leakyReLU(let slope): return ".leakyReLU(negativeSlope: \(slope))"
    case .elu(let alpha): return ".elu(alpha: \(alpha))"
    case .softmax(let axis): return ".softmax(axis: \(axis.swiftText))"
    case .logSoftmax(let axis): return ".logSoftmax(axis: \(axis.swiftText))"
    case .hardSigmoid(let slope): return ".hardSigmoid(slope: \(slope))"
    case .gelu(let approximate): return ".gelu(approximate: \(approximate))"
    case .celu(let alpha): return ".celu(alpha: \(alpha))"
    case .hardShrink(let threshold): return ".hardShrink(threshold: \(threshold))"
    case .softShrink(let threshold): return ".softShrink(threshold: \(threshold))"
    case .squareplus(let b): return ".squareplus(b: \(b))"
    case .threshold(let threshold, let value):
      return ".threshold(threshold: \(threshold), value: \(value))"
    case .linear, .sigmoid, .tanh, .exponential, .softplus, .softsign, .hardTanh, .silu, .hardSilu,
      .selu, .mish, .logSigmoid, .tanhShrink, .sparsePlus, .sparseSigmoid:
      // The name of the case is all there is.
      return ".\(self)"
    }
  }

  private var reluText: String {
    guard case .relu(let maxValue, let negativeSlope, let threshold) = self else { return ".relu" }
    return ".relu(maxValue: \(maxValue.map { "\($0)" } ?? "nil"), negativeSlope: \(negativeSlope), "
      + "threshold: \(threshold))"
  }
}

extension AxisList {
  fileprivate var swiftText: String { axes.count == 1 ? "\(axes[0])" : "\(axes)" }
}
