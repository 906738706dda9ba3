/// What the app computes: a call in the place of a kernel.
struct CustomKernel: MPSCNNKernel {
  /// The requirement of the protocol.
  var requirement: CustomLayers.Function

  var customFunction: String? { requirement.name }

  func type(in name: PackageName) -> String { CustomLayers.type(in: name) }

  func sources(_ images: [String]) -> [String] {
    requirement.takesSeveral
      ? ["sourceImages: [\(images.joined(separator: ", "))]"] : ["sourceImage: \(images[0])"]
  }
}
