import ModelIR
import Operators

/// Source: keras/src/layers/activations/softmax.py.
enum KerasSoftmax: KerasLayerMapping {
  static let classNames = ["Softmax"]
  static var axisSetting: (key: String, default: Int)? { ("axis", -1) }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Activation(.softmax(axis: try layer.axis("axis", default: -1)))
  }
}
