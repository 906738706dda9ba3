/// A factor and an offset for each channel: a batch normalisation, or what can be said as one.
struct NormalizationKernel: MPSCNNKernel {
  /// Where the numbers come from.
  enum Numbers {
    /// The parameters of a batch normalisation; a factor and an offset may be missing.
    case trained(epsilon: Double, scales: Bool, offsets: Bool)
    /// Means and variances, which are parameters: of a normalisation, or of its inverse.
    case statistics(invert: Bool, count: Int)
    /// Factors, which are a parameter.
    case factors
    /// Numbers of the model, one of each kind, or one for each channel.
    case constants(scale: [Double], offset: [Double])
  }

  var channels: Int
  var numbers: Numbers

  func type(in name: PackageName) -> String { "MPSCNNBatchNormalization" }
  var files: Set<MPSCNNFile> { [.normalization] }
  var piece: MPSCNNPiece? {
    switch numbers {
    case .trained: .trainedNormalization
    case .statistics: .statistics
    case .factors: .factors
    case .constants: .constants
    }
  }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    let function =
      switch numbers {
      case .trained(let epsilon, let scales, let offsets):
        "trained(\(layer), channels: \(channels), epsilon: \(Float(epsilon)), "
          + (scales ? "" : "scale: false, ") + (offsets ? "" : "offset: false, ") + "parameters)"
      case .statistics(let invert, let count):
        "statistics(\(layer), channels: \(channels), " + (count == channels ? "" : "count: 1, ")
          + (invert ? "invert: true, " : "") + "parameters)"
      case .factors: "factors(\(layer), channels: \(channels), parameters)"
      case .constants(let scale, let offset):
        "constants(\(layer), channels: \(channels), scale: \(SwiftText.numbers(scale)), "
          + "offset: \(SwiftText.numbers(offset)))"
      }
    let attempt = if case .constants = numbers { "" } else { "try " }
    return ["device: device", "dataSource: \(attempt)\(name)Normalization.\(function)"]
  }
}
