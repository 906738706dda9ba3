import MetalPerformanceShaders

/// Kernel and bias of a convolution or a fully-connected layer, where they lie in the archive.
final class NAMEWeights: NSObject, MPSCNNConvolutionDataSource {
  private let layer: String
  private let shape: MPSCNNConvolutionDescriptor
  private let kernel: NAMETensor
  private let bias: NAMETensor?

  /// Checks that the archive has as many values as `shape` needs.
  ///
  /// - Parameters:
  ///   - role: which of the layer's tensors is the kernel.
  ///   - count: the values of the kernel.
  init(
    _ layer: String, _ role: String, _ shape: MPSCNNConvolutionDescriptor, count: Int,
    hasBias: Bool, _ archive: NAMEArchive
  ) throws {
    guard let kernel = archive.tensor(layer, role), kernel.count == count else {
      throw NAMEError("the \(role) of \(layer) is missing, or has not \(count) values")
    }
    bias = hasBias ? archive.tensor(layer, "bias") : nil
    guard bias?.count == (hasBias ? shape.outputFeatureChannels : nil), bias?.isHalf != true else {
      throw NAMEError("the bias of \(layer) does not fit")
    }
    self.layer = layer
    self.shape = shape
    self.kernel = kernel
  }

  func descriptor() -> MPSCNNConvolutionDescriptor { shape }

  /// `[outputChannels][height][width][inputChannels / groups]`: as the archive has them.
  func weights() -> UnsafeMutableRawPointer { kernel.pointer }

  func dataType() -> MPSDataType { kernel.isHalf ? .float16 : .float32 }

  /// Without this, kernels are halves while they run, even if `weights()` are floats.
  func kernelWeightsDataType() -> MPSDataType { dataType() }

  /// Floats, whatever the kernel is.
  func biasTerms() -> UnsafeMutablePointer<Float>? { bias?.floats }

  // The weights are mapped; the system fetches the pages that are read, and drops them as it likes.
  func load() -> Bool { true }
  func purge() {}

  func label() -> String? { layer }

  /// Nothing changes, so that a copy can be the same object.
  func copy(with zone: NSZone? = nil) -> Any { self }
}
