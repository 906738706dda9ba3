import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/up_sampling2d.py.
enum KerasUpSampling2D: KerasLayerMapping {
  static let classNames = ["UpSampling2D"]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    let interpolation = try layer.choice(
      "interpolation", of: [UpSampling2D.Interpolation.nearest, .bilinear], default: .nearest)
    return UpSampling2D(
      size: try layer.size("size", default: Size2D(2, 2)), interpolation: interpolation)
  }
}
