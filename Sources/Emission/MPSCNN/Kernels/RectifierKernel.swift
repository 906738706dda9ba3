/// A rectifier with a slope for each channel.
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
