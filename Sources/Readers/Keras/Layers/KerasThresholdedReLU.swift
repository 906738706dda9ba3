import ModelIR
import Operators

/// Source: tf_keras/src/layers/activation/thresholded_relu.py.
enum KerasThresholdedReLU: KerasLayerMapping {
  static let classNames = ["ThresholdedReLU"]
  static let operators: [any Operator.Type] = [Activation.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Activation(.threshold(threshold: try layer.double("theta", default: 1), value: 0))
  }
}
