/// A batch normalisation.
struct NormalizationKernel: MPSCNNKernel {
  var channels: Int
  var epsilon: Double
  /// Whether there is a factor, and an offset.
  var scales: Bool
  var offsets: Bool

  func type(in name: PackageName) -> String { "MPSCNNBatchNormalization" }
  var files: Set<MPSCNNFile> { [.normalization] }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    [
      "device: device",
      "dataSource: try \(name)Normalization(\(layer), channels: \(channels), "
        + "epsilon: \(Float(epsilon)), " + (scales ? "" : "scale: false, ")
        + (offsets ? "" : "offset: false, ") + "parameters)",
    ]
  }
}
