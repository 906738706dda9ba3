import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/cropping1d.py, cropping2d.py and cropping3d.py; a number, one for each axis, or pairs.
enum KerasCropping: KerasSpatialMapping {
  static let classNames = ["Cropping1D", "Cropping2D", "Cropping3D"]
  static let operators: [any Operator.Type] = [
    Cropping1D.self, Cropping2D.self, Cropping3D.self,
  ]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    return SpatialCropping<Space>(
      sides: try layer.sides("cropping", space, default: space == Plane.self ? 0 : 1))
  }
}
