import Operators

/// A convolution, or a depthwise convolution.
struct ConvolutionKernel: MPSCNNKernel {
  /// The role of the kernel in the archive.
  var role = "kernel"
  var window: Window2D
  var channels: Int
  var outputs: Int
  var groups: Int
  var isDepthwise: Bool
  /// Pixels before the first row and column of the image or, for a transposed convolution, of its
  /// result.
  var padding: MPSCNNStep.Corner
  var hasBias: Bool
  /// The source text of the neuron's descriptor.
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

/// A transposed convolution, with the same arguments as a convolution.
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
