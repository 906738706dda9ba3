import Operators

extension ActivationFunction {
  /// The name in messages: `relu`, `leakyReLU(0.2)`.
  var text: String {
    switch self {
    case .relu(let most, let slope, let threshold):
      self == .relu
        ? "relu"
        : self == .relu6
          ? "relu6"
          : "relu(max \(most.map { "\($0)" } ?? "none"), slope \(slope), threshold \(threshold))"
    case .leakyReLU(let slope): "leakyReLU(\(slope))"
    case .elu(let alpha): alpha == 1 ? "elu" : "elu(\(alpha))"
    case .softmax: "softmax"
    case .logSoftmax: "logSoftmax"
    case .hardSigmoid(let slope): "hardSigmoid(slope \(slope))"
    case .gelu(let approximate): approximate ? "gelu (with tanh)" : "gelu"
    case .celu(let alpha): "celu(\(alpha))"
    case .hardShrink(let threshold): "hardShrink(\(threshold))"
    case .softShrink(let threshold): "softShrink(\(threshold))"
    case .squareplus(let b): "squareplus(\(b))"
    case .threshold(let threshold, let value): "threshold(\(threshold), \(value))"
    // The case's name, and the labels and values of its parameters.
    default: "\(self)"
    }
  }
}
