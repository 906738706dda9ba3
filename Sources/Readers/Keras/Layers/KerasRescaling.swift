import ModelIR
import Operators

/// Source: keras/src/layers/preprocessing/rescaling.py; a number, or one for each channel.
enum KerasRescaling: KerasLayerMapping {
  static let classNames = ["Rescaling"]
  static let operators: [any Operator.Type] = [Rescaling.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule {
    layer.kerasVersion >= 3 ? .passes : .drops
  }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Rescaling(
      scale: try layer.doubles("scale"), offset: try layer.doubles("offset", default: [0]))
  }
}
