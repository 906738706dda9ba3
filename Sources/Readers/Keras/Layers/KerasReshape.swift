import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/reshape.py.
enum KerasReshape: KerasLayerMapping {
  static let classNames = ["Reshape"]
  static let operators: [any Operator.Type] = [Reshape.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Reshape(shape: try layer.ints("target_shape"))
  }
}
