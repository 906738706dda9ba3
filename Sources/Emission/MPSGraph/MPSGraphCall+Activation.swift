import ModelIR
import Operators

extension MPSGraphCall {
  /// Creates the call for an activation; `nil` for the identity.
  ///
  /// A softmax and functions of several operations are computed in float32.
  ///
  /// - Parameter rank: The rank of the values in the model, without the batch axis.
  /// - Throws: `badData` if no operation computes the function.
  init?(_ function: ActivationFunction, rank: Int) throws(NetconvError) {
    let number = SwiftText.number
    switch function {
    case .linear: return nil
    case .relu(let maxValue, let slope, 0): self = Self.rectifier(slope: slope, limit: maxValue)
    case .leakyReLU(let slope): self = Self.rectifier(slope: slope, limit: nil)
    case .elu(let alpha): self = .helper(.elu, "alpha: \(number(alpha))").inFloats
    case .selu:
      self =
        .helper(
          .elu, "alpha: \(ActivationFunction.seluAlpha)", "scale: \(ActivationFunction.seluScale)"
        ).inFloats
    case .celu(let alpha): self = .helper(.celu, "alpha: \(number(alpha))").inFloats
    case .sigmoid: self = .graph("sigmoid", with: "with")
    case .tanh: self = .graph("tanh", with: "with")
    case .exponential: self = .graph("exponent", with: "with")
    case .hardTanh: self = .helper(.clamp, "from: -1", "to: 1")
    case .hardSigmoid(let slope): self = .helper(.hardSigmoid, "slope: \(number(slope))").inFloats
    case .sparseSigmoid: self = .helper(.hardSigmoid, "slope: 0.5").inFloats
    case .softplus: self = .helper(.softPlus).inFloats
    case .softsign: self = .helper(.softSign).inFloats
    case .logSigmoid: self = .helper(.logSigmoid).inFloats
    case .silu: self = .helper(.silu).inFloats
    case .hardSilu: self = .helper(.hardSilu).inFloats
    case .gelu(let approximate): self = .helper(approximate ? .geluTanh : .gelu).inFloats
    case .mish: self = .helper(.mish).inFloats
    case .tanhShrink: self = .helper(.tanhShrink).inFloats
    case .softShrink(let threshold):
      self = .helper(.softShrink, "threshold: \(number(threshold))").inFloats
    case .squareplus(let b): self = .helper(.squarePlus, "b: \(number(b))").inFloats
    case .sparsePlus: self = .helper(.sparsePlus).inFloats
    case .softmax(let axis): self = Self.softMax(try axis.indices(rank: rank))
    case .logSoftmax(let axis):
      self = .helper(.logSoftMax, Self.axes(try axis.indices(rank: rank))).inFloats
    default: throw .noFunction(function)
    }
  }

  /// A ReLU with an optional negative slope and an optional upper bound.
  private static func rectifier(slope: Double, limit: Double?) -> MPSGraphCall {
    let number = SwiftText.number
    switch (slope, limit) {
    case (0, nil): return .graph("reLU", with: "with")
    case (0, let limit?): return .helper(.clamp, "from: 0", "to: \(number(limit))")
    // A leaky ReLU is the maximum of two lines only for slopes between 0 and 1.
    case (0...1, nil): return .graph("leakyReLU", with: "with", "alpha: \(number(slope))")
    default:
      return .helper(
        .rectifier, "slope: \(number(slope))", limit.map { "limit: \(number($0))" }
      ).inFloats
    }
  }

  private static func softMax(_ axes: [Int]) -> MPSGraphCall {
    axes.count == 1
      ? .graph("softMax", with: "with", "axis: \(axes[0] + 1)").inFloats
      : .helper(.softMax, Self.axes(axes)).inFloats
  }

  /// The argument for axes after the batch axis.
  private static func axes(_ axes: [Int]) -> String { "axes: \(axes.map { $0 + 1 })" }
}
