import ModelIR
import Operators

/// Source: keras/src/layers/normalization/layer_normalization.py.
enum KerasLayerNormalization: KerasLayerMapping {
  static let classNames = ["LayerNormalization"]
  static var axisSetting: (key: String, default: Int)? { ("axis", -1) }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    guard try !layer.bool("rms_scaling", default: false) else {
      throw .wrongSetting("rms_scaling", .bool(true), expected: "false")
    }
    return LayerNormalization(
      epsilon: try layer.double("epsilon", default: 0.001),
      axis: try layer.axis("axis", default: -1))
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    let scale = try layer.bool("scale", default: true)
    let center = try layer.bool("center", default: true)
    return (scale ? [KerasWeight(name: "gamma", role: .gamma)] : [])
      + (center ? [KerasWeight(name: "beta", role: .beta)] : [])
  }
}
