import ModelIR
import Operators

/// Source: keras/src/layers/activations/elu.py.
enum KerasELU: KerasLayerMapping {
  static let classNames = ["ELU"]
  static let operators: [any Operator.Type] = [Activation.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Activation(.elu(alpha: try layer.double("alpha", default: 1)))
  }
}
