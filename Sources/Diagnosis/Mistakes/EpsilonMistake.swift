import ModelIR
import Operators

/// A different number added to the variance than in training.
enum EpsilonMistake: Mistake {
  /// The values of Keras, PyTorch and ONNX, TensorFlow Slim, Caffe, and others.
  private static let usual = [1e-3, 1e-5, 1e-6, 1e-4, 1e-2, 1e-7, 1e-8, 1e-12, 0]

  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    guard let found = layer.epsilon else { return [] }
    let expected = evidence.expected?.epsilon
    let candidates = [expected].compactMap(\.self) + usual.filter { $0 != expected }
    return candidates.filter { $0 != found }.map { right in
      Repair(
        .epsilon, "epsilon is \(found), expected \(right)", advice: "set epsilon to \(right)"
      ) { layer in
        layer.epsilon = right
      }
    }
  }
}
