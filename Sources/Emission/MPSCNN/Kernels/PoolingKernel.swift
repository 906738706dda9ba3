import Operators

/// A pooling over windows.
struct PoolingKernel: MPSCNNKernel {
  var isMaximum: Bool
  var window: Window2D
  /// Pixels before the first row and column of the image.
  var padding: MPSCNNStep.Corner
  /// True if padding counts as zeros.
  var countsZeros: Bool
  /// True if a window extends beyond the image.
  var reachesOutside: Bool

  func type(in name: PackageName) -> String {
    isMaximum ? "MPSCNNPoolingMax" : "MPSCNNPoolingAverage"
  }
  var function: MPSCNNPiece? { isMaximum ? .maxPooling : .averagePooling }
  var files: Set<MPSCNNFile> { [.kernels] }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    [
      "window: \(window.size.text)", "stride: \(window.strides.distanceText)", padding.argument,
      countsZeros && reachesOutside ? "edge: .zero" : nil,
    ]
  }
}
