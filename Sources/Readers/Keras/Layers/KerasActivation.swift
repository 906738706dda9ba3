import ModelIR
import Operators

/// Source: keras/src/layers/activations/activation.py.
enum KerasActivation: KerasLayerMapping {
  static let classNames = ["Activation"]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Activation(try layer.activation())
  }
}
