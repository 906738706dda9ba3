/// A function of each value.
struct NeuronKernel: MPSCNNKernel {
  /// The text of a neuron's descriptor.
  var descriptor: String

  func type(in name: PackageName) -> String { "MPSCNNNeuron" }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    ["device: device", "neuronDescriptor: \(descriptor)"]
  }
}
