import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/zero_padding2d.py; one number, two, or `[[t, b], [l, r]]`.
enum KerasZeroPadding2D: KerasLayerMapping {
  static let classNames = ["ZeroPadding2D"]
  static let operators: [any Operator.Type] = [ZeroPadding2D.self]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    let borders = try layer.borders(
      "padding", axes: 2, default: 1, expected: "[[top, bottom], [left, right]]")
    return ZeroPadding2D(
      top: borders[0].before, bottom: borders[0].after, left: borders[1].before,
      right: borders[1].after)
  }
}
