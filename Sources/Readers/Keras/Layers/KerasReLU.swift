import ModelIR
import Operators

/// Source: keras/src/layers/activations/relu.py.
enum KerasReLU: KerasLayerMapping {
  static let classNames = ["ReLU"]
  static let operators: [any Operator.Type] = [Activation.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    // Keras's own class has no such setting; custom classes with the same name may.
    _ = try layer.optionalSetting("alpha", expected: "0") { $0.double == 0 ? true : nil }
    return Activation(
      .relu(
        maxValue: try layer.optionalDouble("max_value"),
        negativeSlope: try layer.double("negative_slope", default: 0),
        threshold: try layer.double("threshold", default: 0)))
  }
}
