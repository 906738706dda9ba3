import MetalPerformanceShaders

/// The numbers of a batch normalisation.
final class NAMENormalization: NSObject, MPSCNNBatchNormalizationDataSource {
  private let layer: String
  private let channels: Int
  private let variability: Float
  private let tensors: [String: NAMETensor]

  /// Checks that there are as many numbers as there are channels.
  ///
  /// - Parameters:
  ///   - scale: whether there is a factor, `gamma`.
  ///   - offset: whether there is an offset, `beta`.
  init(
    _ layer: String, channels: Int, epsilon: Float, scale: Bool = true, offset: Bool = true,
    _ parameters: NAMEParameters
  ) throws {
    let roles = ["mean", "variance"] + (scale ? ["gamma"] : []) + (offset ? ["beta"] : [])
    var tensors: [String: NAMETensor] = [:]
    for role in roles { tensors[role] = try parameters.tensor(layer, role, [channels]) }
    guard tensors.values.allSatisfy({ !$0.isHalf }) else {
      throw NAMEError("the numbers of \(layer) are no floats")
    }
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
