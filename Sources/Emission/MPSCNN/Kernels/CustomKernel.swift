/// A layer that the app computes: a function call instead of a kernel.
struct CustomKernel: MPSCNNKernel {
  /// The protocol requirement that is called.
  var requirement: CustomLayers.Function

  var customFunction: String? { requirement.name }

  func type(in name: PackageName) -> String { CustomLayers.type(in: name) }

  func sources(_ images: [String]) -> [String] {
    requirement.takesSeveral
      ? ["sourceImages: [\(images.joined(separator: ", "))]"] : ["sourceImage: \(images[0])"]
  }
}
