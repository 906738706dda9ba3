import ModelIR
import Operators

/// Convolutions, also depthwise ones.
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
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.sample(0)
    let value = try convolution(node, input, dilation: nil, padding: nil, &graph)
    guard var dealing = graph.drafts[input.draft].dealing else { return [.value(value)] }
    // Places that were dealt out are collected again: then it is known what is convolved.
    let strides = try node.spatial("strides", isFirst: node.isChannelsFirst())
    let dilation = try node.spatial("dilations", isFirst: node.isChannelsFirst())
    guard strides == [1, 1], dilation == [1, 1], dealing.convolution == nil,
      dealing.block.count == 2, try !node.isChannelsFirst(),
      node.text("padding", default: "") == "VALID"
    else { throw .dealsOutMore }
    dealing.convolution = node
    return [.value(graph.draft(dealing, shape: value.shape))]
  }

  /// Drafts the convolution of a node.
  ///
  /// - Parameters:
  ///   - dilation: in the place of the node's own.
  ///   - padding: zeros at the sides, in the place of the node's own.
  static func convolution(
    _ node: MappedNode, _ input: GraphValue, dilation: [Int]?, padding: [[Int]]?,
    _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    let isFirst = try node.isChannelsFirst()
    let kernel = try node.constant(1)
    guard input.shape.rank == 3 else { throw .wrongRankOfValue(input.shape, expected: 4) }
    guard kernel.shape.count == 4 else { throw .wrongRankOfConstant(kernel.shape, expected: 4) }
    let strides = try node.spatial("strides", isFirst: isFirst)
    let own = try node.spatial("dilations", isFirst: isFirst)
    let dilation = dilation ?? own
    var window = try GraphWindow(node, isFirst: isFirst)
    if let padding { window = GraphWindow(sides: padding) }
    let padded = try window.padded(input, isFirst: isFirst, &graph)
    let size = Size2D(kernel.shape[0], kernel.shape[1])
    let axes: GraphDraft.Axes = isFirst ? .channelsFirst : .counted(moved: nil)
    if node.operation == "DepthwiseConv2dNative" {
      return try graph.draft(
        DepthwiseConvolution2D(
          kernelSize: size, depthMultiplier: kernel.shape[3],
          strides: Size2D(strides[0], strides[1]), dilation: Size2D(dilation[0], dilation[1]),
          padding: window.padding), [padded],
        [.kernel: GraphDraft.Parameter(constant: kernel, layout: .hwim)], axes: axes)
    }
    guard let channels = input.shape.dimensions[isFirst ? 0 : 2] else {
      throw .openChannels(input.shape)
    }
    guard kernel.shape[2] > 0, channels % kernel.shape[2] == 0 else {
      throw .wrongKernelChannels(kernel.shape, channels)
    }
    return try graph.draft(
      Convolution2D(
        outputChannels: kernel.shape[3], kernelSize: size,
        strides: Size2D(strides[0], strides[1]), dilation: Size2D(dilation[0], dilation[1]),
        groups: channels / kernel.shape[2], padding: window.padding), [padded],
      [.kernel: GraphDraft.Parameter(constant: kernel, layout: .hwio)], axes: axes)
  }
}

/// How a node treats the edges of an image.
struct GraphWindow {
  let padding: Padding
  /// Zeros before and behind height and width; `nil` if the node adds none of its own.
  let sides: [[Int]]?

  /// Zeros at the sides, and windows that stay inside then.
  init(sides: [[Int]]) {
    padding = .valid
    self.sides = sides
  }

  init(_ node: MappedNode, isFirst: Bool) throws(NetconvError) {
    switch node.text("padding", default: "") {
    case "SAME":
      padding = .same
      sides = nil
    case "VALID":
      padding = .valid
      sides = nil
    case "EXPLICIT":
      guard let numbers = node.integers("explicit_paddings"), numbers.count == 8 else {
        throw .unknownSetting("explicit_paddings", "", known: ["8 numbers"])
      }
      let pairs = numbers.pairs
      let spatial = isFirst ? [2, 3] : [1, 2]
      guard (0..<4).allSatisfy({ spatial.contains($0) || pairs[$0] == [0, 0] }) else {
        throw .batchAxis
      }
      padding = .valid
      sides = spatial.map { pairs[$0] }
    case let other: throw .unknownSetting("padding", other, known: ["EXPLICIT", "SAME", "VALID"])
    }
  }

  /// The input with its zeros.
  func padded(
    _ input: GraphValue, isFirst: Bool, _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    guard let sides, sides != [[0, 0], [0, 0]] else { return input }
    guard sides.joined().allSatisfy({ $0 >= 0 }) else { throw .negativePadding(sides) }
    return try graph.draft(
      ZeroPadding2D(
        top: sides[0][0], bottom: sides[0][1], left: sides[1][0], right: sides[1][1]), [input],
      axes: isFirst ? .channelsFirst : .counted(moved: nil))
  }
}

extension MappedNode {
  /// A setting with a number for each of four axes, of which those of the batch and the channels are 1.
  ///
  /// - Returns: height and width.
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
