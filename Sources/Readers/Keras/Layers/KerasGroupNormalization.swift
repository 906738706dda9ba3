import ModelIR
import Operators

/// Source: keras/src/layers/normalization/group_normalization.py; -1 groups mean instance normalisation.
enum KerasGroupNormalization: KerasLayerMapping {
  static let classNames = ["GroupNormalization"]
  static var axisSetting: (key: String, default: Int)? { ("axis", -1) }
  static let operators: [any Operator.Type] = [GroupNormalization.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    GroupNormalization(
      groups: try layer.int("groups", default: 32),
      epsilon: try layer.double("epsilon", default: 0.001),
      axis: try layer.axis("axis", default: -1))
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    try KerasWeight.scaleAndCenter(of: layer)
  }
}
