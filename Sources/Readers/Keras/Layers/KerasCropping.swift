import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/cropping1d.py and cropping2d.py; a number, one for each axis, or pairs.
enum KerasCropping: KerasLayerMapping {
  static let classNames = ["Cropping1D", "Cropping2D"]
  static let operators: [any Operator.Type] = [Cropping1D.self, Cropping2D.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    if layer.isOfSequences {
      let ends = try layer.ends("cropping", default: 1)
      return Cropping1D(before: ends.before, after: ends.after)
    }
    let borders = try layer.borders(
      "cropping", axes: 2, default: 0, expected: "[[top, bottom], [left, right]]")
    return Cropping2D(
      top: borders[0].before, bottom: borders[0].after, left: borders[1].before,
      right: borders[1].after)
  }
}
