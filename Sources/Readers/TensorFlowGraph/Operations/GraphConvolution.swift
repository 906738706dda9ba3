import ModelIR
import Operators

/// Convolutions, including depthwise ones.
///
/// Source: tensorflow/core/ops/nn_ops.cc, `Conv2D` and `DepthwiseConv2dNative`.
enum GraphConvolution: GraphOperation {
  static let names = ["Conv2D", "DepthwiseConv2dNative"]
  static let operators: [any Operator.Type] = [
    Convolution2D.self, DepthwiseConvolution2D.self, ZeroPadding2D.self,
  ]
  static let refused = [
    "kernels that follow from what is fed", "strides along the batch or the channels",
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try graph.sample(node.input(0))
    let kernel = try node.constant(1)
    let window = try GraphWindow(node)
    let isDepthwise = node.operation == "DepthwiseConv2dNative"
    let value = try graph.convolve(input, kernel, window, isDepthwise: isDepthwise)
    guard var blocked = graph.drafts[input.draft].blocked else { return [.value(value)] }
    // The batch-to-space operation that follows completes the dilated convolution.
    guard window.strides == [1, 1], window.dilation == [1, 1], blocked.convolution == nil,
      blocked.block.count == 2, !window.isChannelsFirst, window.padding == .valid,
      window.sides == nil
    else { throw .dealsOutMore }
    blocked.convolution = (kernel, isDepthwise)
    return [.value(graph.draft(blocked, shape: value.shape))]
  }
}

extension GraphWindow {
  /// Creates the window of a node.
  init(_ node: MappedNode) throws(NetconvError) {
    let isFirst = try node.isChannelsFirst()
    self.init(
      strides: try node.spatial("strides", isFirst: isFirst),
      dilation: try node.spatial("dilations", isFirst: isFirst), isChannelsFirst: isFirst)
    switch node.text("padding", default: "") {
    case "SAME": padding = .same
    case "VALID": break
    case "EXPLICIT":
      guard let numbers = node.integers("explicit_paddings"), numbers.count == 8 else {
        throw .unknownSetting("explicit_paddings", "", known: ["8 numbers"])
      }
      let pairs = numbers.pairs
      let spatial = isFirst ? [2, 3] : [1, 2]
      guard (0..<4).allSatisfy({ spatial.contains($0) || pairs[$0] == [0, 0] }) else {
        throw .batchAxis
      }
      sides = spatial.map { pairs[$0] }
    case let other: throw .unknownSetting("padding", other, known: ["EXPLICIT", "SAME", "VALID"])
    }
  }
}

extension MappedNode {
  /// The spatial elements of a setting for all four axes; those of the batch and the channels have to be 1.
  ///
  /// - Returns: the values for height and width.
  func spatial(_ key: String, isFirst: Bool) throws(NetconvError) -> [Int] {
    let numbers = integers(key) ?? []
    if numbers.isEmpty { return [1, 1] }
    guard numbers.count == 4 else {
      throw .unknownSetting(key, "\(numbers)", known: ["a number for each of four axes"])
    }
    let spatial = isFirst ? [2, 3] : [1, 2]
    guard (0..<4).allSatisfy({ spatial.contains($0) || numbers[$0] == 1 }) else { throw .batchAxis }
    return spatial.map { numbers[$0] }
  }
}
