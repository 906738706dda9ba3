import ModelIR
import Operators

/// Source: keras/src/layers/core/dense.py.
enum KerasDense: KerasLayerMapping {
  static let classNames = ["Dense"]
  static let operators: [any Operator.Type] = [Dense.self]
  static let refused = ["activations that Activation does not read, and glu"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Dense(units: try layer.int("units"), activation: try layer.activation())
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    try layer.bool("use_bias", default: true) ? [.kernel, .bias] : [.kernel]
  }
}
