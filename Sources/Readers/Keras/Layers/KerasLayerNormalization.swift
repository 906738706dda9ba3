import ModelIR
import Operators

/// Source: keras/src/layers/normalization/layer_normalization.py; with `rms_scaling`, the layer always has gamma and
/// never beta.
enum KerasLayerNormalization: KerasLayerMapping {
  static let classNames = ["LayerNormalization"]
  static var axisSetting: (key: String, default: Int)? { ("axis", -1) }
  static let operators: [any Operator.Type] = [LayerNormalization.self]
  static let refused = ["axes that do not ascend"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    LayerNormalization(
      epsilon: try layer.double("epsilon", default: 0.001),
      axis: try layer.axes("axis", ordered: true),
      subtractsMean: try !layer.bool("rms_scaling", default: false))
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    let weights = try KerasWeight.scaleAndCenter(of: layer)
    return try layer.bool("rms_scaling", default: false) ? [.gamma] : weights
  }
}
