import ModelIR
import Operators

/// Source: keras/src/layers/pooling/base_pooling.py; strides default to the pool size.
enum KerasPooling2D: KerasLayerMapping {
  static let classNames = ["MaxPooling2D", "MaxPool2D", "AveragePooling2D", "AvgPool2D"]
  static let operators: [any Operator.Type] = [MaxPooling2D.self, AveragePooling2D.self]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    let size = try layer.size("pool_size", default: Size2D(2, 2))
    let strides = try layer.optionalSize("strides") ?? size
    let padding = try layer.padding()
    return layer.className.hasPrefix("Max")
      ? MaxPooling2D(poolSize: size, strides: strides, padding: padding)
      : AveragePooling2D(poolSize: size, strides: strides, padding: padding)
  }
}
