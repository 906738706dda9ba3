/// A fully-connected layer.
struct FullyConnectedKernel: MPSCNNKernel {
  var image: ImageShape
  var outputs: Int
  var hasBias: Bool
  /// The source text of the neuron's descriptor.
  var neuron: String?

  func type(in name: PackageName) -> String { "MPSCNNFullyConnected" }
  var function: MPSCNNPiece? { .fullyConnected }
  var readsParameters: Bool { true }
  var files: Set<MPSCNNFile> { [.kernels, .weights] }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    [
      layer,
      "image: (height: \(image.height), width: \(image.width), channels: \(image.channels))",
      "to: \(outputs)", hasBias ? nil : "bias: false", neuron.map { "neuron: " + $0 },
    ]
  }
}
