import Operators

/// A convolution, or one of each channel with a kernel of its own.
struct ConvolutionKernel: MPSCNNKernel {
  /// What the kernel is called in the archive.
  var role = "kernel"
  var window: Window2D
  var channels: Int
  var outputs: Int
  var groups: Int
  var isDepthwise: Bool
  /// Pixels before the first row and column of the image; of a transposed convolution, of its result.
  var padding: MPSCNNStep.Corner
  var hasBias: Bool
  /// The text of a neuron's descriptor.
  var neuron: String?

  func type(in name: PackageName) -> String { "MPSCNNConvolution" }
  var function: MPSCNNPiece? { isDepthwise ? .depthwiseConvolution : .convolution }
  var readsParameters: Bool { true }
  var files: Set<MPSCNNFile> { [.kernels, .weights] }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    [
      layer, role == "kernel" ? nil : "role: \(SwiftText.literal(role))",
      "kernel: \(window.size.text)",
      isDepthwise ? "channels: \(channels)" : "channels: (from: \(channels), to: \(outputs))",
      window.strides == .one ? nil : "stride: \(window.strides.distanceText)",
      window.dilation == .one ? nil : "dilation: \(window.dilation.distanceText)",
      groups == 1 ? nil : "groups: \(groups)", padding.argument, hasBias ? nil : "bias: false",
      neuron.map { "neuron: " + $0 },
    ]
  }
}

/// A transposed convolution; all that is said of it is what is said of a convolution.
struct TransposedConvolutionKernel: MPSCNNKernel {
  var convolution: ConvolutionKernel

  func type(in name: PackageName) -> String { "MPSCNNConvolutionTranspose" }
  var function: MPSCNNPiece? { .transposedConvolution }
  var readsParameters: Bool { true }
  var files: Set<MPSCNNFile> { convolution.files }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    convolution.arguments(layer: layer, in: name)
  }
}
