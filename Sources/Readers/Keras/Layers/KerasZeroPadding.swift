import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/zero_padding1d.py and zero_padding2d.py; a number, one for each axis, or pairs.
enum KerasZeroPadding: KerasLayerMapping {
  static let classNames = ["ZeroPadding1D", "ZeroPadding2D"]
  static let operators: [any Operator.Type] = [ZeroPadding1D.self, ZeroPadding2D.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    if layer.isOfSequences {
      let ends = try layer.ends("padding", default: 1)
      return ZeroPadding1D(before: ends.before, after: ends.after)
    }
    let borders = try layer.borders(
      "padding", axes: 2, default: 1, expected: "[[top, bottom], [left, right]]")
    return ZeroPadding2D(
      top: borders[0].before, bottom: borders[0].after, left: borders[1].before,
      right: borders[1].after)
  }
}
