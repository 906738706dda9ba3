import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/up_sampling1d.py, which repeats steps, up_sampling2d.py and up_sampling3d.py.
enum KerasUpSampling: KerasSpatialMapping {
  static let classNames = ["UpSampling1D", "UpSampling2D", "UpSampling3D"]
  static let operators: [any Operator.Type] = [
    UpSampling1D.self, UpSampling2D.self, UpSampling3D.self,
  ]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    // Only images are interpolated.
    return SpatialUpSampling<Space>(
      size: try layer.size("size", default: .two),
      interpolation: space == Plane.self
        ? try layer.interpolation(default: .nearest) : .nearest)
  }
}
