import ModelIR
import Operators

/// An activation that is missing, is there though it should not be, or is another one.
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
    guard let found = layer.activation else { return [] }
    let expected = evidence.expected?.activation
    return unique([expected].compactMap(\.self) + usual).filter { $0 != found }.map { right in
      let finding =
        switch (found.isLinear, right.isLinear) {
        case (true, _): "the activation \(right.text) is missing"
        case (_, true): "there is an activation \(found.text), expected none"
        default: "the activation is \(found.text), expected \(right.text)"
        }
      return Repair(
        .activation, finding,
        advice: right.isLinear
          ? "take the activation away, or give the layer behind it none"
          : "give the layer the activation \(right.text)"
      ) { layer in
        layer.activation = right
      }
    }
  }

  private static func unique(_ functions: [ActivationFunction]) -> [ActivationFunction] {
    functions.enumerated().filter { !functions[..<$0].contains($1) }.map(\.element)
  }
}
