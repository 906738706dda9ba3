import ModelIR
import Operators

/// Max, mean and Lp pooling, local and global.
///
/// Source: onnx/docs/Operators.md.
enum ONNXPooling: ONNXOperation {
  static let names = [
    "AveragePool", "GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool", "LpPool", "MaxPool",
  ]
  static let operators: [any Operator.Type] = [
    AveragePooling1D.self, AveragePooling2D.self, AveragePooling3D.self,
    GlobalAveragePooling1D.self, GlobalAveragePooling2D.self, GlobalAveragePooling3D.self,
    GlobalMaxPooling1D.self, GlobalMaxPooling2D.self, GlobalMaxPooling3D.self,
    MaxPooling1D.self, MaxPooling2D.self, MaxPooling3D.self,
  ]
  static let refused = [
    "dilations", "indices of maxima",
    "ceil_mode of means that count padding, where the last window is cut off",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try graph.sample(node.input(0))
    if node.operation == "GlobalLpPool" {
      let axes = Array(2...max(2, input.shape.rank))
      return [
        try norm(node, .value(input), &graph) { powers, graph throws(NetconvError) in
          try graph.reduce(.sum, powers, axes: axes, keepDimensions: true)
        }
      ]
    }
    if node.operation.hasPrefix("Global") {
      return [
        .value(try graph.poolAll(input, isMean: node.operation == "GlobalAveragePool"))
      ]
    }
    guard let size = node.integers("kernel_shape") else { throw .missingAttribute("kernel_shape") }
    guard size.count == input.shape.rank - 1 else {
      throw .wrongRankOfValue(input.shape, expected: size.count + 2)
    }
    let isNorm = node.operation == "LpPool"
    let isMean = node.operation != "MaxPool"
    var window = try GraphWindow(node, size: size)
    guard window.dilation.allSatisfy({ $0 == 1 }) else {
      throw .unknownSetting("dilations", "\(window.dilation)", known: ["1"])
    }
    let countsPadding = isMean && node.flag("count_include_pad") || isNorm
    if var sides = window.sides {
      var isCutOff = false
      for axis in size.indices where node.flag("ceil_mode") {
        guard let length = input.shape.dimensions[axis + 1] else { throw .openSize(input.shape) }
        let extra = excess(length, sides[axis], size[axis], window.strides[axis])
        sides[axis][1] += extra
        isCutOff = isCutOff || extra > 0
      }
      let isPadded = sides.contains { $0 != [0, 0] }
      guard !countsPadding || !isCutOff || isNorm else {
        throw .unreadUse("ceil_mode with count_include_pad")
      }
      // Zeros that are counted must be explicit; others are not part of a window.
      window.sides = countsPadding && isPadded ? sides : nil
      if isPadded, !countsPadding { window.padding = .amounts(sides) }
    } else if countsPadding, window.padding != .valid {
      throw .unreadUse("auto_pad with count_include_pad")
    }
    guard isNorm else {
      return [.value(try graph.pool(input, size: size, window, isMean: isMean))]
    }
    // The sum is the mean times the size of the window, with padding zeros counted.
    return [
      try norm(node, .value(input), &graph) { powers, graph throws(NetconvError) in
        let mean = try graph.pool(graph.value([powers], 0), size: size, window, isMean: true)
        return try graph.apply(.multiply, [.value(mean), .number(Double(size.reduce(1, *)))])
      }
    ]
  }

  /// The p-th root of a sum of p-th powers.
  private static func norm(
    _ node: MappedONNXNode, _ input: GraphResult, _ graph: inout GraphBuilder,
    _ sum: (GraphResult, inout GraphBuilder) throws(NetconvError) -> GraphResult
  ) throws(NetconvError) -> GraphResult {
    // In operator set 1 it is a float.
    let p = node.integer("p").map(Double.init) ?? node.number("p", default: 2)
    let sizes = try graph.apply(.elementwise(.absolute), [input])
    let powers = p == 1 ? sizes : try graph.apply(.power, [sizes, .number(p)])
    let total = try sum(powers, &graph)
    return p == 1 ? total : try graph.apply(.power, [total, .number(1 / p)])
  }

  /// The extra pixels after the padding that the last window covers; it has to start before the end padding.
  private static func excess(_ length: Int, _ sides: [Int], _ size: Int, _ stride: Int) -> Int {
    let padded = length + sides[0] + sides[1]
    let rest = (padded - size) % stride
    guard padded >= size, rest > 0 else { return 0 }
    // A window that would start in the end padding is omitted.
    let start = (padded - size) / stride * stride + stride
    return start < length + sides[0] ? stride - rest : 0
  }
}
