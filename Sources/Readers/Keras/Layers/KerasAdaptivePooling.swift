import ModelIR
import Operators

/// Source: keras/src/layers/pooling/base_adaptive_pooling.py.
enum KerasAdaptivePooling: KerasSpatialMapping {
  static let classNames = [
    "AdaptiveAveragePooling1D", "AdaptiveMaxPooling1D", "AdaptiveAveragePooling2D",
    "AdaptiveMaxPooling2D", "AdaptiveAveragePooling3D", "AdaptiveMaxPooling3D",
  ]
  static let operators: [any Operator.Type] = [
    AdaptiveAveragePooling1D.self, AdaptiveMaxPooling1D.self, AdaptiveAveragePooling2D.self,
    AdaptiveMaxPooling2D.self, AdaptiveAveragePooling3D.self, AdaptiveMaxPooling3D.self,
  ]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    let size: SpatialSize<Space> = try layer.size("output_size")
    return layer.className.contains("Max")
      ? SpatialAdaptiveMaxPooling<Space>(outputSize: size)
      : SpatialAdaptiveAveragePooling<Space>(outputSize: size)
  }
}
