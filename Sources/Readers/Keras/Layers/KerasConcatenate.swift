import ModelIR
import Operators

/// Source: keras/src/layers/merging/concatenate.py.
enum KerasConcatenate: KerasLayerMapping {
  static let classNames = ["Concatenate"]
  static var axisSetting: (key: String, default: Int)? { ("axis", -1) }
  static let operators: [any Operator.Type] = [Concatenate.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .concatenates }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Concatenate(axis: try layer.axis("axis", default: -1))
  }
}
