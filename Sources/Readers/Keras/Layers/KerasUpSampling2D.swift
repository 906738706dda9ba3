import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/up_sampling2d.py.
enum KerasUpSampling2D: KerasLayerMapping {
  static let classNames = ["UpSampling2D"]
  static let operators: [any Operator.Type] = [UpSampling2D.self]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    return UpSampling2D(
      size: try layer.size("size", default: Size2D(2, 2)),
      interpolation: try layer.interpolation(default: .nearest))
  }
}
