import Operators

/// Pixels that are repeated.
struct UpsamplingKernel: MPSCNNKernel {
  /// How often.
  var size: Size2D

  func type(in name: PackageName) -> String { "MPSCNNUpsamplingNearest" }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    [
      "device: device", "integerScaleFactorX: \(size.width)",
      "integerScaleFactorY: \(size.height)",
    ]
  }
}
