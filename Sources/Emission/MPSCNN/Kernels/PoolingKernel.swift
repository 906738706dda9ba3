import Operators

/// One value of each window.
struct PoolingKernel: MPSCNNKernel {
  var isMaximum: Bool
  var window: Window2D
  /// Pixels before the first row and column of the image.
  var padding: MPSCNNStep.Corner
  /// Whether what lies outside is zeros that count.
  var countsZeros: Bool
  /// Whether a window reaches outside.
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
