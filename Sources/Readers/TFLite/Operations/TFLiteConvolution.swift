import ModelIR
import Operators

/// Regular, depthwise and transposed convolutions, with bias and fused activation.
///
/// Source: tensorflow/lite/kernels: `conv.cc`, `depthwise_conv.cc` and `transpose_conv.cc`.
enum TFLiteConvolution: TFLiteOperation {
  static let names = ["CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV"]
  static let operators: [any Operator.Type] = [
    Convolution2D.self, DepthwiseConvolution2D.self, TransposedConvolution2D.self,
    ZeroPadding2D.self,
  ]
  static let refused = [
    "kernels that follow from what is fed", "kernels of integers beside real values",
  ]

  /// The type of an options table and its field indices.
  private struct Fields {
    let options: Int
    let activation: Int
    let dilation: [Int]
  }

  private static let fields = [
    "CONV_2D": Fields(options: 1, activation: 3, dilation: [5, 4]),
    "DEPTHWISE_CONV_2D": Fields(options: 2, activation: 4, dilation: [6, 5]),
    "TRANSPOSE_CONV": Fields(options: 49, activation: 3, dilation: []),
  ]

  static func results(
    of node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let results = try sums(node, &graph)
    let sum = try node.biased(results, by: biasPlace(of: node), &graph)
    return [try node.activated(sum, by: activation(of: node), &graph)]
  }

  /// The index of the input with the bias.
  static func biasPlace(of node: MappedTFLiteNode) -> Int {
    node.operation == "TRANSPOSE_CONV" ? 3 : 2
  }

  /// The fused activation.
  static func activation(of node: MappedTFLiteNode) throws(NetconvError) -> Int {
    guard let fields = fields[node.operation] else { throw .unknownOperation(node.operation) }
    return try node.options(fields.options).choice(fields.activation)
  }

  /// Drafts the sums of products, without bias and activation.
  static func sums(
    _ node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    guard let fields = fields[node.operation] else { throw .unknownOperation(node.operation) }
    let options = try node.options(fields.options)
    let dilation = try fields.dilation.map { field throws(NetconvError) in
      try options.integer(field, default: 1)
    }
    var attributes = try TFLitePooling.window(options)
    attributes["dilations"] = .integers([1] + (dilation.isEmpty ? [1, 1] : dilation) + [1])
    let kernel = try node.constant(1, rank: 4)
    let results: [GraphResult]
    switch node.operation {
    case "CONV_2D":
      results = try node.results(
        as: "Conv2D", [node.input(0), .constant(kernel.transposed([1, 2, 3, 0]))], attributes,
        &graph)
    case "DEPTHWISE_CONV_2D":
      results = try node.results(
        as: "DepthwiseConv2dNative", [node.input(0), .constant(depthwise(kernel, node))],
        attributes, &graph)
    default:
      results = try node.results(
        as: "Conv2DBackpropInput",
        [node.input(0), .constant(kernel.transposed([1, 2, 0, 3])), node.input(2)], attributes,
        &graph)
    }
    return results[0]
  }

  /// The kernel of a depthwise convolution as `HWIM`.
  private static func depthwise(
    _ kernel: GraphConstant, _ node: MappedTFLiteNode
  ) throws(NetconvError) -> GraphConstant {
    let channels = try node.value(0).size(-1)
    guard channels > 0, kernel.shape[0] == 1, kernel.shape[3].isMultiple(of: channels) else {
      throw .wrongKernelChannels(kernel.shape, channels)
    }
    return try kernel.reshaped(
      [kernel.shape[1], kernel.shape[2], channels, kernel.shape[3] / channels])
  }
}
