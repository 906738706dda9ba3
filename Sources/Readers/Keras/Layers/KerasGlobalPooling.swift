import ModelIR
import Operators

/// Source: keras/src/layers/pooling/base_global_pooling.py.
enum KerasGlobalPooling: KerasLayerMapping {
  static let classNames = [
    "GlobalMaxPooling1D", "GlobalMaxPool1D", "GlobalAveragePooling1D", "GlobalAvgPool1D",
    "GlobalMaxPooling2D", "GlobalMaxPool2D", "GlobalAveragePooling2D", "GlobalAvgPool2D",
  ]
  static let operators: [any Operator.Type] = [
    GlobalMaxPooling1D.self, GlobalAveragePooling1D.self, GlobalMaxPooling2D.self,
    GlobalAveragePooling2D.self, MaskedAverage.self,
  ]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule {
    layer.isOfSequences && !layer.className.hasPrefix("GlobalMax") ? .averages : .drops
  }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    let keepDimensions = try layer.bool("keepdims", default: false)
    return switch (layer.className.hasPrefix("GlobalMax"), layer.isOfSequences) {
    case (true, true): GlobalMaxPooling1D(keepDimensions: keepDimensions)
    case (true, false): GlobalMaxPooling2D(keepDimensions: keepDimensions)
    case (false, true): GlobalAveragePooling1D(keepDimensions: keepDimensions)
    case (false, false): GlobalAveragePooling2D(keepDimensions: keepDimensions)
    }
  }
}
