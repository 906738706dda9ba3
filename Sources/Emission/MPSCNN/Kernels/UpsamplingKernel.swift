import Operators

/// Nearest-neighbour upsampling by repeated pixels.
struct UpsamplingKernel: MPSCNNKernel {
  /// The factor along each axis.
  var size: Size2D

  func type(in name: PackageName) -> String { "MPSCNNUpsamplingNearest" }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    [
      "device: device", "integerScaleFactorX: \(size.width)",
      "integerScaleFactorY: \(size.height)",
    ]
  }
}
