/// Images behind one another.
struct ConcatenationKernel: MPSCNNKernel {
  /// Those of each image.
  var channels: [Int]

  func type(in name: PackageName) -> String { "\(name)Concatenation" }
  var files: Set<MPSCNNFile> { [.concatenation] }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    ["device: device", "channels: \(channels)"]
  }

  func sources(_ images: [String]) -> [String] {
    ["sourceImages: [\(images.joined(separator: ", "))]"]
  }
}
