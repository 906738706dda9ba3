/// An element-wise function.
struct NeuronKernel: MPSCNNKernel {
  /// The source text of the neuron's descriptor.
  var descriptor: String

  func type(in name: PackageName) -> String { "MPSCNNNeuron" }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    ["device: device", "neuronDescriptor: \(descriptor)"]
  }
}
