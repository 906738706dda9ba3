import ModelIR
import Operators

/// Source: keras/src/layers/normalization/rms_normalization.py.
enum KerasRMSNormalization: KerasLayerMapping {
  static let classNames = ["RMSNormalization"]
  static let operators: [any Operator.Type] = [RMSNormalization.self]
  static let refused = ["axes that are not the last"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    RMSNormalization(
      epsilon: try layer.double("epsilon", default: 1e-6),
      axis: try layer.axes("axis", ordered: true))
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    [KerasWeight(name: "scale", role: .gamma)]
  }
}
