import ModelIR
import Operators

/// A missing, superfluous or wrong activation.
enum ActivationMistake: Mistake {
  private static let usual: [ActivationFunction] = [
    .linear, .relu, .relu6, .sigmoid, .tanh, .softmax(axis: -1),
    .leakyReLU(negativeSlope: 0.2), .leakyReLU(negativeSlope: 0.3),
    .leakyReLU(negativeSlope: 0.1), .leakyReLU(negativeSlope: 0.01), .elu(alpha: 1), .selu, .silu,
    .gelu(approximate: false), .gelu(approximate: true), .hardSigmoid(slope: 0.2),
    .hardSigmoid(slope: 1.0 / 6), .hardSilu, .softplus, .softsign, .exponential, .mish,
    .logSoftmax(axis: -1),
  ]

  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    repairs(of: layer, evidence, "activation", \.activation)
      + repairs(of: layer, evidence, "recurrent activation", \.recurrentActivation)
  }

  private static func repairs(
    of layer: LayerCase, _ evidence: Evidence, _ name: String,
    _ function: WritableKeyPath<LayerCase, ActivationFunction?> & Sendable
  ) -> [Repair] {
    guard let found = layer[keyPath: function] else { return [] }
    let expected = evidence.expected?[keyPath: function]
    return unique([expected].compactMap(\.self) + usual).filter { $0 != found }.map { right in
      let article = name.hasPrefix("a") ? "an" : "a"
      let finding =
        switch (found.isLinear, right.isLinear) {
        case (true, _): "the \(name) \(right.text) is missing"
        case (_, true): "there is \(article) \(name) \(found.text), expected none"
        default: "the \(name) is \(found.text), expected \(right.text)"
        }
      return Repair(
        .activation, finding,
        advice: right.isLinear
          ? "remove the \(name), or that of the next layer"
          : "add the \(name) \(right.text)"
      ) { layer in
        layer[keyPath: function] = right
      }
    }
  }

  private static func unique(_ functions: [ActivationFunction]) -> [ActivationFunction] {
    functions.enumerated().filter { !functions[..<$0].contains($1) }.map(\.element)
  }
}
