import ModelIR
import Operators

/// Transposed convolutions, which enlarge sequences, images and volumes.
///
/// Source: onnx/docs/Operators.md, `ConvTranspose`.
enum ONNXConvolutionTransposed: ONNXOperation {
  static let names = ["ConvTranspose"]
  static let operators: [any Operator.Type] = [
    Concatenate.self, Cropping2D.self, TransposedConvolution1D.self,
    TransposedConvolution2D.self, TransposedConvolution3D.self,
  ]
  static let refused = ["more than 64 groups"]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try graph.sample(node.input(0))
    let kernel = try node.constant(1)
    let spatial = input.shape.rank - 1
    guard kernel.shape.count == spatial + 2, let space = Spaces.axes(spatial) else {
      throw .wrongRankOfConstant(kernel.shape, expected: spatial + 2)
    }
    let groups = node.integer("group", default: 1)
    guard groups == 1 else { return [try inGroups(groups, node, input, kernel, &graph)] }
    guard input.shape.dimensions[0] == kernel.shape[0] else {
      throw .wrongKernelChannels(kernel.shape, input.shape.dimensions[0] ?? 0)
    }
    let size = Array(kernel.shape.suffix(spatial))
    let window = try GraphWindow(node, size: size)
    let (amounts, extra) = try amounts(node, input, window, size)
    let padding: Padding =
      amounts.allSatisfy { $0 == [0, 0] } ? .valid : .amounts(amounts)
    func operation<Space: SpatialAxes>(_: Space.Type) -> any Operator {
      SpatialTransposedConvolution<Space>(
        outputChannels: kernel.shape[1], kernelSize: SpatialSize(sizes: size),
        strides: SpatialSize(sizes: window.strides),
        dilation: SpatialSize(sizes: window.dilation), padding: padding,
        outputPadding: SpatialSize(sizes: extra))
    }
    let order = Array(2..<2 + spatial) + [1, 0]
    var parameters: [ParameterRole: GraphDraft.Parameter] = [
      .kernel: GraphDraft.Parameter(
        constant: kernel.transposed(order),
        layout: Layout(axes: space.axes + [.outputChannels, .inputChannels]))
    ]
    if let bias = try node.optionalConstant(2) {
      parameters[.bias] = GraphDraft.Parameter(constant: bias, layout: nil)
    }
    return [
      .value(
        try graph.draft(operation(space), [input], parameters, axes: window.axes))
    ]
  }

  /// Drafts a layer for each group of channels, and joins their outputs.
  private static func inGroups(
    _ count: Int, _ node: MappedONNXNode, _ input: GraphValue, _ kernel: GraphConstant,
    _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    func parts(_ length: Int) throws(NetconvError) -> [Int] {
      try splitSizes(in: count, of: length)
    }
    guard (1...largestGroupCount).contains(count) else {
      throw .unknownSetting("group", "\(count)", known: ["1 to \(largestGroupCount)"])
    }
    let inputs = try graph.split(.value(input), along: 1, parts)
    let kernels = try kernel.split(along: 0, sizes: parts(kernel.shape[0]), at: kernel.path)
    let bias = try node.optionalConstant(2)
    let biases = try bias.map { bias throws(NetconvError) in
      try bias.split(along: 0, sizes: parts(bias.count), at: bias.path)
    }
    var attributes = node.node
    attributes.attributes["group"] = nil
    var outputs: [GraphResult] = []
    for index in 0..<count {
      let part = MappedONNXNode(
        node: attributes,
        inputs: [inputs[index], .constant(kernels[index]), biases.map { .constant($0[index]) }],
        types: [])
      outputs += try results(of: part, &graph)
    }
    return try graph.concatenate(outputs, along: 1)
  }

  /// More groups than this would become a graph of too many layers.
  private static let largestGroupCount = 64

  /// The pixels to crop before and after each axis, and those to add after it.
  private static func amounts(
    _ node: MappedONNXNode, _ input: GraphValue, _ window: GraphWindow, _ size: [Int]
  ) throws(NetconvError) -> (amounts: [[Int]], extra: [Int]) {
    let zeros = [Int](repeating: 0, count: size.count)
    var extra = node.integers("output_padding") ?? zeros
    guard extra.count == size.count, extra.allSatisfy({ (0...1 << 20).contains($0) }) else {
      throw .unknownSetting("output_padding", "\(extra)", known: ["a number for each axis"])
    }
    let stated = node.integers("output_shape")
    let automatic = window.padding != .valid
    guard stated != nil || automatic else {
      return (window.sides ?? size.map { _ in [0, 0] }, extra)
    }
    // With a given output size, the excess is cropped at both ends.
    var amounts: [[Int]] = []
    for axis in size.indices {
      guard let length = input.shape.dimensions[axis + 1], length <= 1 << 40 else {
        throw .openSize(input.shape)
      }
      let target =
        stated?.suffix(size.count)[(stated?.count ?? 0) - size.count + axis]
        ?? length * window.strides[axis]
      let full =
        (length - 1) * window.strides[axis] + extra[axis]
        + (size[axis] - 1) * window.dilation[axis] + 1
      let total = max(0, full - target)
      extra[axis] += max(0, target - full)
      let less = total / 2
      amounts.append(window.padding == .same ? [less, total - less] : [total - less, less])
    }
    return (amounts, extra)
  }
}
