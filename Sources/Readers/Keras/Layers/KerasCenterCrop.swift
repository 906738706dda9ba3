import ModelIR
import Operators

/// Source: keras/src/layers/preprocessing/image_preprocessing/center_crop.py.
enum KerasCenterCrop: KerasLayerMapping {
  static let classNames = ["CenterCrop"]
  static let operators: [any Operator.Type] = [CenterCrop.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    return CenterCrop(size: try layer.heightAndWidth())
  }
}
