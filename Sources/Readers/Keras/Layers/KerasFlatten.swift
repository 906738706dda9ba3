import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/flatten.py.
enum KerasFlatten: KerasLayerMapping {
  static let classNames = ["Flatten"]
  static let operators: [any Operator.Type] = [Flatten.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    return Flatten()
  }
}
