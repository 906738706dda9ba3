import ModelIR
import Operators

/// Convolutions of sequences, images and volumes, including grouped ones.
///
/// Source: onnx/docs/Operators.md, `Conv`.
enum ONNXConvolution: ONNXOperation {
  static let names = ["Conv"]
  static let operators: [any Operator.Type] = [
    Convolution1D.self, Convolution2D.self, Convolution3D.self, DepthwiseConvolution1D.self,
    DepthwiseConvolution2D.self, ZeroPadding1D.self, ZeroPadding2D.self, ZeroPadding3D.self,
  ]
  static let refused = ["kernels that follow from what is fed"]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    [.value(try convolution(node, &graph))]
  }

  /// Drafts the convolution of a node, without fused operations.
  static func convolution(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue {
    let input = try graph.sample(node.input(0))
    let kernel = try node.constant(1)
    let spatial = input.shape.rank - 1
    guard kernel.shape.count == spatial + 2, Spaces.axes(spatial) != nil else {
      throw .wrongRankOfConstant(kernel.shape, expected: spatial + 2)
    }
    let size = Array(kernel.shape.suffix(spatial))
    if let stated = node.integers("kernel_shape"), stated != size {
      throw .unknownSetting("kernel_shape", "\(stated)", known: ["\(size)"])
    }
    let groups = node.integer("group", default: 1)
    let (outputs, own) = (kernel.shape[0], kernel.shape[1])
    guard let channels = input.shape.dimensions[0] else { throw .openChannels(input.shape) }
    guard groups > 0, outputs % groups == 0, own * groups == channels else {
      throw .wrongKernelChannels(kernel.shape, channels)
    }
    var window = try GraphWindow(node, size: size)
    try window.settle(size: size)
    // The input and output channels follow the spatial axes.
    // Volumes have no depthwise operator.
    let isDepthwise = own == 1 && groups > 1 && spatial < 3
    let apart =
      isDepthwise ? try kernel.reshaped([groups, outputs / groups] + size) : kernel
    let order = Array(2..<2 + spatial) + (isDepthwise ? [0, 1] : [1, 0])
    return try graph.convolve(
      input, apart.transposed(order), window, isDepthwise: isDepthwise,
      bias: node.optionalConstant(2))
  }
}

extension GraphWindow {
  /// Creates the window of a node with channels first.
  ///
  /// - Parameter size: the size of the kernel along each spatial axis.
  init(_ node: MappedONNXNode, size: [Int]) throws(NetconvError) {
    let ones = [Int](repeating: 1, count: size.count)
    self.init(
      strides: node.integers("strides") ?? ones, dilation: node.integers("dilations") ?? ones,
      isChannelsFirst: true)
    let pads = node.integers("pads") ?? [Int](repeating: 0, count: 2 * size.count)
    guard strides.count == size.count, dilation.count == size.count, pads.count == 2 * size.count,
      (strides + dilation + size).allSatisfy({ (1...1 << 20).contains($0) }),
      pads.allSatisfy({ (-(1 << 20)...1 << 20).contains($0) })
    else { throw .unknownSetting("pads", "\(pads)", known: ["two numbers for each axis"]) }
    switch node.text("auto_pad", default: "NOTSET") {
    case "NOTSET", "": sides = size.indices.map { [pads[$0], pads[$0 + size.count]] }
    case "VALID": sides = nil
    case "SAME_UPPER": padding = .same
    case "SAME_LOWER": padding = .sameLower
    case let other:
      throw .unknownSetting(
        "auto_pad", other, known: ["NOTSET", "SAME_LOWER", "SAME_UPPER", "VALID"])
    }
  }

  /// Expresses zero padding as `same` or `valid`, where that is equivalent for every input size.
  mutating func settle(size: [Int]) throws(NetconvError) {
    guard let sides else { return }
    guard sides.joined().allSatisfy({ $0 >= 0 }) else { throw .negativePadding(sides) }
    let isSame = size.indices.allSatisfy { axis in
      let total = (size[axis] - 1) * dilation[axis]
      return strides[axis] == 1 && sides[axis] == [total / 2, total - total / 2]
    }
    if sides.allSatisfy({ $0 == [0, 0] }) {
      self.sides = nil
    } else if isSame {
      (self.sides, padding) = (nil, .same)
    } else if size.indices.allSatisfy({ axis in
      sides[axis].allSatisfy { $0 <= (size[axis] - 1) * dilation[axis] }
    }) {
      (self.sides, padding) = (nil, .amounts(sides))
    }
  }
}
