internal import CKernels
import Operators

extension ActivationFunction {
  /// The range to clamp values to, if the function does nothing else; otherwise `nil`.
  var bounds: ClosedRange<Float>? {
    switch self {
    case .linear: -Float.infinity...Float.infinity
    case .relu(let highest, 0, 0) where highest ?? 0 >= 0: 0...Float(highest ?? .infinity)
    case .hardTanh: -1...1
    default: nil
    }
  }

  /// The kernel of an element-wise function, or `nil` if there is none.
  var kernel: netconv_activation? {
    if let bounds { return kernel(NETCONV_CLAMP, bounds.lowerBound, bounds.upperBound) }
    return switch self {
    case .relu(let highest, let slope, let threshold):
      kernel(NETCONV_RELU, Float(slope), Float(threshold), Float(highest ?? .infinity))
    case .leakyReLU(let slope): kernel(NETCONV_RELU, Float(slope), 0, .infinity)
    case .elu(let alpha): kernel(NETCONV_ELU, Float(alpha), 1, 1)
    case .celu(let alpha) where alpha > 0: kernel(NETCONV_ELU, Float(alpha), Float(1 / alpha), 1)
    case .selu:
      kernel(
        NETCONV_ELU, Float(Self.seluScale * Self.seluAlpha), 1, Float(Self.seluScale))
    case .sigmoid: kernel(NETCONV_SIGMOID)
    case .logSigmoid: kernel(NETCONV_LOG_SIGMOID)
    case .hardSigmoid(let slope): kernel(NETCONV_HARD_SIGMOID, Float(slope))
    case .sparseSigmoid: kernel(NETCONV_HARD_SIGMOID, 0.5)
    case .tanh: kernel(NETCONV_TANH)
    case .silu: kernel(NETCONV_SILU)
    case .hardSilu: kernel(NETCONV_HARD_SILU)
    case .gelu(approximate: false): kernel(NETCONV_GELU)
    case .gelu(approximate: true): kernel(NETCONV_GELU_BY_TANH)
    case .mish: kernel(NETCONV_MISH)
    case .exponential: kernel(NETCONV_EXPONENTIAL)
    case .softplus: kernel(NETCONV_SOFTPLUS)
    case .softsign: kernel(NETCONV_SOFTSIGN)
    case .hardShrink(let threshold): kernel(NETCONV_HARD_SHRINK, Self.largest(upTo: threshold))
    case .softShrink(let threshold): kernel(NETCONV_SOFT_SHRINK, Float(threshold))
    case .sparsePlus: kernel(NETCONV_SPARSE_PLUS)
    case .threshold(let threshold, let value):
      kernel(NETCONV_THRESHOLD, Self.largest(upTo: threshold), Float(value))
    // Functions with cancellation, and functions along axes.
    default: nil
    }
  }

  private func kernel(
    _ function: netconv_function, _ a: Float = 0, _ b: Float = 0, _ c: Float = 0
  ) -> netconv_activation {
    netconv_activation(function: function, a: a, b: b, c: c)
  }

  /// Returns the largest Float not above `bound`, so that a step of the function keeps its position.
  private static func largest(upTo bound: Double) -> Float {
    let nearest = Float(bound)
    return Double(nearest) > bound ? nearest.nextDown : nearest
  }
}
