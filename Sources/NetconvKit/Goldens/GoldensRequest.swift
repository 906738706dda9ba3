/// Which inputs are stored with what the model makes of them.
public struct GoldensRequest: Sendable, Equatable {
  /// How many samples; by default one, or all of ``inputs``.
  public var samples: Int?
  /// `.npy` or `.npz` with the inputs; by default the first MNIST test images where they fit, else random numbers.
  public var inputs: String?

  /// The most samples that can be asked for.
  public static let mostSamples = 1000

  /// Goldens of `samples`.
  public init(samples: Int? = nil, inputs: String? = nil) {
    self.samples = samples
    self.inputs = inputs
  }
}
