import ModelIR
import Operators

/// Source: keras/src/layers/activations/activation.py.
enum KerasActivation: KerasLayerMapping {
  static let classNames = ["Activation"]
  static let operators: [any Operator.Type] = [Activation.self, GatedLinearUnit.self]
  static let refused = [
    "sparsemax, which Keras computes wrongly with TensorFlow",
    "threshold, whose numbers are not saved",
    "functions of your own",
  ]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    if layer.settings["activation"] == .string("glu") { return GatedLinearUnit() }
    return Activation(try layer.activation())
  }
}
