import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/up_sampling2d.py.
enum KerasUpSampling2D: KerasLayerMapping {
  static let classNames = ["UpSampling2D"]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    let value = layer.settings["interpolation"] ?? .string("nearest")
    guard let interpolation = value.string.flatMap(UpSampling2D.Interpolation.init) else {
      throw .wrongSetting("interpolation", value, expected: "\"nearest\" or \"bilinear\"")
    }
    return UpSampling2D(
      size: try layer.size("size", default: Size2D(2, 2)), interpolation: interpolation)
  }
}
