import ModelIR
import Operators

/// Source: keras/src/layers/pooling/base_global_pooling.py.
enum KerasGlobalPooling2D: KerasLayerMapping {
  static let classNames = [
    "GlobalMaxPooling2D", "GlobalMaxPool2D", "GlobalAveragePooling2D", "GlobalAvgPool2D",
  ]
  static let operators: [any Operator.Type] = [
    GlobalMaxPooling2D.self, GlobalAveragePooling2D.self,
  ]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    let keepDimensions = try layer.bool("keepdims", default: false)
    return layer.className.hasPrefix("GlobalMax")
      ? GlobalMaxPooling2D(keepDimensions: keepDimensions)
      : GlobalAveragePooling2D(keepDimensions: keepDimensions)
  }
}
