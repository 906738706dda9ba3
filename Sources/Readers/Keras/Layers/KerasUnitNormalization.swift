import ModelIR
import Operators

/// Source: keras/src/layers/normalization/unit_normalization.py; before Keras 3, tf.linalg.l2_normalize, which clamps
/// the sum of the squares to 1e-12 rather than its root.
enum KerasUnitNormalization: KerasLayerMapping {
  static let classNames = ["UnitNormalization"]
  static var axisSetting: (key: String, default: Int)? { ("axis", -1) }
  static let operators: [any Operator.Type] = [UnitNormalization.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    UnitNormalization(
      smallestNorm: layer.kerasVersion < 3 ? 1e-6 : 1e-12, axis: try layer.axes("axis"))
  }
}
