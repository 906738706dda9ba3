import ModelIR
import Operators

/// Source: keras/src/layers/activations/softmax.py; several axes are normalised jointly.
enum KerasSoftmax: KerasLayerMapping {
  static let classNames = ["Softmax"]
  static var axisSetting: (key: String, default: Int)? { ("axis", -1) }
  static let operators: [any Operator.Type] = [Activation.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .refuses }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Activation(.softmax(axis: try layer.axes("axis")))
  }
}
