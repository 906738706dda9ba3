import TestSupport

extension Mutation {
  private static func fixture(_ name: String) -> String { Fixtures.path("keras/\(name).h5") }

  /// A placeholder for the path of ``GroupedNetwork``, which a test writes.
  static let grouped = "grouped"

  /// Mistakes that are easily made with MPSCNN.
  static let all: [Mutation] = [
    Mutation(
      name: "pooling at the offset 0", file: "Kernels",
      from: "x: window.width / 2 - padding.left, y: window.height / 2 - padding.top, z: 0",
      to: "x: 0, y: 0, z: 0", firstWrong: "pool1"),
    Mutation(
      name: "a convolution at the offset 0", file: "Kernels",
      from: "x: ((kernel.width - 1) * dilation.x + 1) / 2 - padding.left", to: "x: 0",
      firstWrong: "conv1"),
    Mutation(
      name: "no bias", file: "Weights", from: "{ bias?.floats }", to: "{ nil }",
      firstWrong: "conv1"),
    Mutation(
      name: "rows and columns of a kernel exchanged", file: "Kernels",
      from: "kernelWidth: kernel.width, kernelHeight: kernel.height,",
      to: "kernelWidth: kernel.height, kernelHeight: kernel.width,", firstWrong: "conv1"),
    Mutation(
      name: "no activation", file: "Kernels",
      from: "if let neuron { shape.fusedNeuronDescriptor = neuron }", to: "_ = neuron",
      firstWrong: "conv1"),
    Mutation(
      name: "channels first", file: "Pixels",
      from: "image.readBytes(base, dataLayout: .HeightxWidthxFeatureChannels",
      to: "image.readBytes(base, dataLayout: .featureChannelsxHeightxWidth", firstWrong: "conv1"),
    Mutation(
      name: "another softmax", file: "", from: "MPSCNNSoftMax", to: "MPSCNNLogSoftMax",
      firstWrong: "fc2"),
    Mutation(
      name: "kernels of halves in a network of floats", precision: .float32, file: "Weights",
      from: "func kernelWeightsDataType() -> MPSDataType { dataType() }",
      to: "func kernelWeightsDataType() -> MPSDataType { .float16 }", firstWrong: "conv1"),
    Mutation(
      name: "padding that counts", source: fixture("keras2-pooling"), file: "Kernels",
      from: "pooling.edgeMode = edge", to: "_ = edge", firstWrong: "max_same"),
    Mutation(
      name: "no dilation", source: fixture("keras2-conv-dilated"), file: "Kernels",
      from: "(shape.dilationRateX, shape.dilationRateY) = (dilation.x, dilation.y)",
      to: "_ = shape", firstWrong: "conv1"),
    Mutation(
      name: "another epsilon", source: fixture("keras2-batch-norm"), file: "",
      from: "epsilon: 0.001", to: "epsilon: 0.1", firstWrong: "bn_first"),
    Mutation(
      name: "an image added to itself", source: fixture("keras2-residual"), file: "",
      from: "primaryImage: reluImage, secondaryImage: convBImage",
      to: "primaryImage: reluImage, secondaryImage: reluImage", firstWrong: "add_three"),
    Mutation(
      name: "zeros that do not count", source: fixture("keras2-zero-padding"), file: "",
      from: ", edge: .zero", to: "", firstWrong: "pool"),
    Mutation(
      name: "padding on the wrong side", source: fixture("keras2-conv-same"), file: "",
      from: "padding: (left: 0, top: 1)", to: "padding: (left: 1, top: 1)", firstWrong: "conv1"),
    Mutation(
      name: "a transposed convolution placed as a convolution is",
      source: fixture("keras3-transposed"), file: "Kernels",
      from: "kernel.width / 2 - (kernel.width - 1) + padding.left",
      to: "kernel.width / 2 - padding.left", firstWrong: "plain"),
    Mutation(
      name: "a factor for each channel that meets one pixel", source: fixture("keras2-merges"),
      file: "", from: "scaled.secondaryStrideInPixelsX = 0", to: "_ = scaled",
      firstWrong: "scaled"),
    Mutation(
      name: "a mean that is a sum", source: fixture("keras2-merges"), file: "",
      from: "(mean.primaryScale, mean.secondaryScale) = (0.33333334, 0.33333334)", to: "_ = mean",
      firstWrong: "mean"),
    Mutation(
      name: "a difference that may be negative", source: fixture("keras2-merges"), file: "",
      from: "largestSubtract.minimumValue = 0", to: "_ = largestSubtract", firstWrong: "largest"),
    Mutation(
      name: "another gate", source: fixture("keras2-functions"), file: "",
      from: "cnnNeuronDescriptor(with: .tanH, a: 1, b: 1)",
      to: "cnnNeuronDescriptor(with: .softSign)", firstWrong: "layer_mish"),
    Mutation(
      name: "channels in the wrong place", source: grouped, file: "",
      from: "last.destinationFeatureChannelOffset = 24", to: "_ = last", firstWrong: "place"),
    Mutation(
      name: "channels of zeros on the wrong side", source: grouped, file: "",
      from: "paddingSizeBefore: MPSImageCoordinate(x: 0, y: 0, channel: 6)",
      to: "paddingSizeBefore: MPSImageCoordinate(x: 0, y: 0, channel: 5)", firstWrong: "odd"),
    Mutation(
      name: "rows of zeros on the wrong side", source: grouped, file: "",
      from: "framing.offset = MPSOffset(x: -2, y: -1, z: 0)",
      to: "framing.offset = MPSOffset(x: -1, y: 0, z: 0)", firstWrong: "framing"),
  ]
}
