import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/cropping2d.py; one number, two, or `[[t, b], [l, r]]`.
enum KerasCropping2D: KerasLayerMapping {
  static let classNames = ["Cropping2D"]
  static let operators: [any Operator.Type] = [Cropping2D.self]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    let borders = try layer.borders(
      "cropping", axes: 2, default: 0, expected: "[[top, bottom], [left, right]]")
    return Cropping2D(
      top: borders[0].before, bottom: borders[0].after, left: borders[1].before,
      right: borders[1].after)
  }
}
