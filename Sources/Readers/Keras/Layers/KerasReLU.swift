import ModelIR
import Operators

/// Source: keras/src/layers/activations/relu.py.
enum KerasReLU: KerasLayerMapping {
  static let classNames = ["ReLU"]
  static let operators: [any Operator.Type] = [Activation.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Activation(
      .relu(
        maxValue: try layer.optionalDouble("max_value"),
        negativeSlope: try layer.double("negative_slope", default: 0),
        threshold: try layer.double("threshold", default: 0)))
  }
}
