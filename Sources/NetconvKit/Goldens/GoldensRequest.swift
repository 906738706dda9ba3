/// A request to store inputs of a model, and its outputs for them.
public struct GoldensRequest: Sendable, Equatable {
  /// The number of samples; by default one, or all of ``inputs``.
  public var samples: Int?
  /// An `.npy` or `.npz` file with the inputs; by default the first MNIST test images if they fit, otherwise random
  /// values.
  public var inputs: String?

  /// The maximum number of samples.
  public static let mostSamples = 1000

  /// Creates a request for goldens.
  public init(samples: Int? = nil, inputs: String? = nil) {
    self.samples = samples
    self.inputs = inputs
  }
}
