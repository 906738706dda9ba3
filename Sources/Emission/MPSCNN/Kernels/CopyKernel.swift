/// A copy of the image.
struct CopyKernel: MPSCNNKernel {
  func type(in name: PackageName) -> String { "MPSCNNNeuron" }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    ["device: device", "neuronDescriptor: \(MPSCNNNeuron.descriptor(".none"))"]
  }
}
