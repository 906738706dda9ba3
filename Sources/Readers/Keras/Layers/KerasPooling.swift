import ModelIR
import Operators

/// Source: keras/src/layers/pooling/base_pooling.py; strides default to the pool size.
enum KerasPooling: KerasSpatialMapping {
  static let classNames = [
    "MaxPooling1D", "MaxPool1D", "AveragePooling1D", "AvgPool1D",
    "MaxPooling2D", "MaxPool2D", "AveragePooling2D", "AvgPool2D",
    "MaxPooling3D", "MaxPool3D", "AveragePooling3D", "AvgPool3D",
  ]
  static let operators: [any Operator.Type] = [
    MaxPooling1D.self, AveragePooling1D.self, MaxPooling2D.self, AveragePooling2D.self,
    MaxPooling3D.self, AveragePooling3D.self,
  ]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    let size: SpatialSize<Space> = try layer.size("pool_size", default: .two)
    let strides: SpatialSize<Space> = try layer.optionalSize("strides") ?? size
    let padding = try layer.padding()
    return layer.className.hasPrefix("Max")
      ? SpatialMaxPooling<Space>(poolSize: size, strides: strides, padding: padding)
      : SpatialAveragePooling<Space>(poolSize: size, strides: strides, padding: padding)
  }
}
