/// A copy of a rectangle of the image.
struct CropKernel: MPSCNNKernel {
  /// The number of columns cut off at the left and of rows at the top.
  var corner: MPSCNNStep.Corner

  func type(in name: PackageName) -> String { "MPSCNNNeuron" }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    ["device: device", "neuronDescriptor: \(MPSCNNNeuron.descriptor(".none"))"]
  }

  func settings(_ property: String) -> [String] {
    ["\(property).offset = MPSOffset(x: \(corner.left), y: \(corner.top), z: 0)"]
  }
}
