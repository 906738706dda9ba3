import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/up_sampling1d.py, which repeats steps, and up_sampling2d.py.
enum KerasUpSampling: KerasLayerMapping {
  static let classNames = ["UpSampling1D", "UpSampling2D"]
  static let operators: [any Operator.Type] = [UpSampling1D.self, UpSampling2D.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    if layer.isOfSequences { return UpSampling1D(size: try layer.size("size", default: .two)) }
    return UpSampling2D(
      size: try layer.size("size", default: .two),
      interpolation: try layer.interpolation(default: .nearest))
  }
}
