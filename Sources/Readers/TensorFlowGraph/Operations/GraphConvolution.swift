import ModelIR
import Operators

/// Convolutions of images and volumes, including depthwise ones.
///
/// Source: tensorflow/core/ops/nn_ops.cc, `Conv2D`, `Conv3D` and `DepthwiseConv2dNative`.
enum GraphConvolution: GraphOperation {
  static let names = ["Conv2D", "Conv3D", "DepthwiseConv2dNative"]
  static let operators: [any Operator.Type] = [
    Convolution2D.self, Convolution3D.self, DepthwiseConvolution2D.self, ZeroPadding2D.self,
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
      let spatial = node.spatialIndices(isFirst: isFirst)
      guard (0..<4).allSatisfy({ spatial.contains($0) || pairs[$0] == [0, 0] }) else {
        throw .batchAxis
      }
      sides = spatial.map { pairs[$0] }
    case let other: throw .unknownSetting("padding", other, known: ["EXPLICIT", "SAME", "VALID"])
    }
  }
}

extension MappedNode {
  /// True if the operation is one of volumes.
  private var isOfVolumes: Bool { operation.contains("3D") }

  /// Returns the indices of the spatial axes among all axes.
  func spatialIndices(isFirst: Bool) -> [Int] {
    (0..<(isOfVolumes ? 3 : 2)).map { $0 + (isFirst ? 2 : 1) }
  }

  /// The spatial elements of a setting for all axes; those of the batch and the channels have to be 1.
  ///
  /// - Returns: the values for height and width, after that for the depth of a volume.
  func spatial(_ key: String, isFirst: Bool) throws(NetconvError) -> [Int] {
    let numbers = integers(key) ?? []
    let spatial = spatialIndices(isFirst: isFirst)
    if numbers.isEmpty { return spatial.map { _ in 1 } }
    guard numbers.count == spatial.count + 2 else {
      throw .unknownSetting(key, "\(numbers)", known: ["a number for each axis"])
    }
    guard numbers.indices.allSatisfy({ spatial.contains($0) || numbers[$0] == 1 }) else {
      throw .batchAxis
    }
    return spatial.map { numbers[$0] }
  }
}
