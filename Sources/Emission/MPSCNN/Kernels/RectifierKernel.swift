/// A parametric ReLU: a rectifier with one slope per channel.
struct RectifierKernel: MPSCNNKernel {
  var channels: Int

  func type(in name: PackageName) -> String { "MPSCNNNeuron" }
  var function: MPSCNNPiece? { .rectifier }
  var readsParameters: Bool { true }
  var files: Set<MPSCNNFile> { [.kernels] }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    [layer, "channels: \(channels)"]
  }
}
