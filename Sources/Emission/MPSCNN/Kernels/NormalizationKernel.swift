/// A scale and an offset per channel: a batch normalisation, or an operator that can be written as
/// one.
struct NormalizationKernel: MPSCNNKernel {
  /// The source of the scales and offsets.
  enum Numbers {
    /// The parameters of a batch normalisation, with or without scale and offset.
    case trained(epsilon: Double, scales: Bool, offsets: Bool)
    /// Means and variances from parameters, for a normalisation or its inverse.
    case statistics(invert: Bool, count: Int)
    /// Scales from a parameter.
    case factors
    /// Constants of the model: one scale and one offset, or one of each per channel.
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
