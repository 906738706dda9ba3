import ModelIR
import Operators

/// Source: keras/src/layers/pooling/base_global_pooling.py.
enum KerasGlobalPooling: KerasSpatialMapping {
  static let classNames = [
    "GlobalMaxPooling1D", "GlobalMaxPool1D", "GlobalAveragePooling1D", "GlobalAvgPool1D",
    "GlobalMaxPooling2D", "GlobalMaxPool2D", "GlobalAveragePooling2D", "GlobalAvgPool2D",
    "GlobalMaxPooling3D", "GlobalMaxPool3D", "GlobalAveragePooling3D", "GlobalAvgPool3D",
  ]
  static let operators: [any Operator.Type] = [
    GlobalMaxPooling1D.self, GlobalAveragePooling1D.self, GlobalMaxPooling2D.self,
    GlobalAveragePooling2D.self, GlobalMaxPooling3D.self, GlobalAveragePooling3D.self,
    MaskedAverage.self,
  ]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule {
    layer.isOfSequences && !layer.className.hasPrefix("GlobalMax") ? .averages : .drops
  }

  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    let keepDimensions = try layer.bool("keepdims", default: false)
    return layer.className.hasPrefix("GlobalMax")
      ? SpatialGlobalMaxPooling<Space>(keepDimensions: keepDimensions)
      : SpatialGlobalAveragePooling<Space>(keepDimensions: keepDimensions)
  }
}
