import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/zero_padding1d.py, zero_padding2d.py and zero_padding3d.py; a number, one for each axis, or pairs.
enum KerasZeroPadding: KerasSpatialMapping {
  static let classNames = ["ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D"]
  static let operators: [any Operator.Type] = [
    ZeroPadding1D.self, ZeroPadding2D.self, ZeroPadding3D.self,
  ]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    return SpatialZeroPadding<Space>(
      sides: try layer.sides("padding", space, default: 1))
  }
}
