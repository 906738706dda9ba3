import MetalPerformanceShaders

/// The numbers of a batch normalisation, where they lie in the archive.
final class NAMENormalization: NSObject, MPSCNNBatchNormalizationDataSource {
  private let layer: String
  private let channels: Int
  private let variability: Float
  private let tensors: [String: NAMETensor]

  /// Checks that the archive has as many numbers as there are channels.
  init(_ layer: String, channels: Int, epsilon: Float, _ archive: NAMEArchive) throws {
    var tensors: [String: NAMETensor] = [:]
    for role in ["gamma", "beta", "mean", "variance"] {
      tensors[role] = archive.tensor(layer, role)
    }
    guard tensors["mean"] != nil, tensors["variance"] != nil,
      tensors.values.allSatisfy({ $0.count == channels && !$0.isHalf })
    else { throw NAMEError("the numbers of \(layer) do not fit \(channels) channels") }
    self.layer = layer
    self.channels = channels
    variability = epsilon
    self.tensors = tensors
  }

  /// Required by the protocol; nobody archives this.
  init?(coder: NSCoder) { nil }

  func numberOfFeatureChannels() -> Int { channels }
  func gamma() -> UnsafeMutablePointer<Float>? { tensors["gamma"]?.floats }
  func beta() -> UnsafeMutablePointer<Float>? { tensors["beta"]?.floats }
  func mean() -> UnsafeMutablePointer<Float>? { tensors["mean"]?.floats }
  func variance() -> UnsafeMutablePointer<Float>? { tensors["variance"]?.floats }
  func epsilon() -> Float { variability }
  func load() -> Bool { true }
  func purge() {}
  func label() -> String? { layer }

  /// Nothing changes, so that a copy can be the same object.
  func copy(with zone: NSZone? = nil) -> Any { self }
}
