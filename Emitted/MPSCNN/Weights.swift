import MetalPerformanceShaders

/// Kernel and bias of a convolution or a fully-connected layer.
final class NAMEWeights: NSObject, MPSCNNConvolutionDataSource {
  private let layer: String
  private let shape: MPSCNNConvolutionDescriptor
  private let kernel: NAMETensor
  private let bias: NAMETensor?

  /// Checks that there are as many values as are needed.
  ///
  /// - Parameters:
  ///   - role: which of the layer's parameters is the kernel.
  ///   - sizes: those of the kernel.
  ///   - isHalf: whether the kernel is of halves.
  init(
    _ layer: String, _ role: String, _ shape: MPSCNNConvolutionDescriptor, _ sizes: [Int],
    isHalf: Bool = NAME.format == .float16, hasBias: Bool, _ parameters: NAMEParameters
  ) throws {
    kernel = try parameters.tensor(layer, role, sizes, isHalf: isHalf)
    bias = hasBias ? try parameters.tensor(layer, "bias", [shape.outputFeatureChannels]) : nil
    guard bias?.isHalf != true else { throw NAMEError("the bias of \(layer) is no floats") }
    self.layer = layer
    self.shape = shape
  }

  func descriptor() -> MPSCNNConvolutionDescriptor { shape }

  /// `[outputChannels][height][width][inputChannels / groups]`: as they are given.
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
