import ModelIR
import Operators

/// Slices, splits, concatenations, padding and gathers.
///
/// Source: onnx/docs/Operators.md.
enum ONNXPart: ONNXOperation {
  static let names = ["Concat", "Gather", "Pad", "Slice", "Split"]
  static let operators: [any Operator.Type] = [
    Concatenate.self, Cropping1D.self, Cropping2D.self, Embedding.self, Flatten.self,
    Gather.self, Permute.self, Reshape.self, Slice.self, ZeroPadding1D.self, ZeroPadding2D.self,
  ]
  static let refused = [
    "the batch's axis", "parts of axes whose size is open",
    "indices that are computed, unless the batch is 1",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "Concat":
      let axis = node.integer("axis", default: node.opset < 4 ? 1 : 0)
      return [try graph.concatenate(node.operands, along: axis)]
    case "Gather": return [try gather(node, &graph)]
    case "Pad": return [try pad(node, &graph)]
    case "Slice": return [try slice(node, &graph)]
    default: return try split(node, &graph)
    }
  }

  private static func slice(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let input = try node.input(0)
    guard let starts = try node.integers("starts", orInput: 1),
      let ends = try node.integers("ends", orInput: 2), starts.count == ends.count
    else { throw .wrongSlice }
    let rank = try node.rank(of: input)
    let named = try node.integers("axes", orInput: 3) ?? Array(starts.indices)
    let steps = try node.optionalConstant(4)?.integers() ?? starts.map { _ in 1 }
    guard named.count == starts.count, steps.count == starts.count else { throw .wrongSlice }
    var ranges: [Int: Int] = [:]
    for (index, axis) in try resolvedAxes(named, rank: rank).enumerated() {
      guard ranges.updateValue(index, forKey: axis) == nil else { throw .wrongSlice }
    }
    return try graph.slice(input) { shape throws(NetconvError) in
      var slice = StridedSlice(of: shape)
      for axis in shape.indices {
        if let index = ranges[axis], !isWhole(starts[index], ends[index], steps[index]) {
          // A start before the first index is clamped to it. For ends, see `end`.
          try slice.take(
            from: starts[index], to: end(ends[index], shape[axis], steps[index]), by: steps[index])
        } else {
          try slice.takeAll()
        }
      }
      return slice
    }
  }

  /// Numbers from here on mean the end of any axis.
  private static let endless = Int(Int32.max)

  private static func isWhole(_ start: Int, _ end: Int, _ step: Int) -> Bool {
    start == 0 && end >= endless && step == 1
  }

  /// The end of a slice.
  ///
  /// With a negative step, an end before the first index is `nil`, so that the slice includes it.
  private static func end(_ end: Int, _ length: Int?, _ step: Int) -> Int? {
    guard let length else { return end >= endless ? nil : end }
    return step < 0 && end < -length ? nil : end
  }

  private static func split(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.input(0)
    let axis = node.integer("axis", default: 0)
    let stated = try node.integers("split", orInput: 1)
    let count = node.integer("num_outputs", default: node.node.outputs.count)
    return try graph.split(input, along: axis) { length throws(NetconvError) in
      if let stated {
        guard stated.allSatisfy({ $0 >= 0 }) else { throw .wrongSlice }
        return try splitSizes(stated, of: length)
      }
      // From opset 18 on the last part may be shorter.
      guard node.opset >= 18, (1...1 << 16).contains(count), length % count != 0 else {
        return try splitSizes(in: count, of: length)
      }
      let part = (length + count - 1) / count
      guard part * (count - 1) < length else { throw .wrongSlice }
      return [Int](repeating: part, count: count - 1) + [length - part * (count - 1)]
    }
  }

  /// Gathers rows of a table, a part of a constant, or one or more indices of a value.
  private static func gather(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let data = try node.input(0)
    let axis = node.integer("axis", default: 0)
    guard case .value(let value) = data, case .constant(let indices) = try node.input(1) else {
      if case .constant(let constant) = data, case .constant(let indices) = try node.input(1) {
        return .constant(
          try constant.gathered(
            indices.counted(from: constant, axis, at: graph.node), along: axis, at: graph.node))
      }
      return try graph.gather([data, node.input(1)], along: axis)
    }
    return try graph.take(at: indices, of: value, along: axis)
  }

  private static func pad(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let input = try node.value(0)
    let mode = node.text("mode", default: "constant")
    guard let numbers = try node.integers(node.opset < 2 ? "paddings" : "pads", orInput: 1),
      numbers.count.isMultiple(of: 2)
    else { throw .wrongPaddings([]) }
    let rank = numbers.count / 2
    let all = Array(0..<(try node.rank(of: .value(input))))
    let named = try node.optionalConstant(3)?.integers() ?? all
    guard named.count == rank else { throw .wrongPaddings(numbers) }
    var pairs = [[Int]](repeating: [0, 0], count: input.rank)
    for (index, axis) in named.enumerated() {
      let place = try resolvedAxis(axis, rank: input.rank)
      pairs[place] = [numbers[index], numbers[index + rank]]
    }
    let border: GraphBorder
    switch mode {
    case "constant":
      border = .number(try node.optionalConstant(2)?.scalar() ?? node.number("value", default: 0))
    case "edge": border = .edge
    case "reflect": border = .reflect
    case "wrap": border = .wrap
    default:
      throw .unknownSetting("mode", mode, known: ["constant", "edge", "reflect", "wrap"])
    }
    return .value(try graph.pad(input, pairs, with: border))
  }
}

extension GraphConstant {
  /// Indices along an axis of a constant, with negative ones resolved from the end.
  fileprivate func counted(
    from constant: GraphConstant, _ axis: Int, at path: String
  ) throws(NetconvError) -> GraphConstant {
    let numbers = try integers()
    guard numbers.contains(where: { $0 < 0 }) else { return self }
    let length = constant.shape[try resolvedAxis(axis, rank: constant.shape.count)]
    return GraphConstant(
      numbers.map { Double($0 < 0 ? $0 + length : $0) }, shape: shape, type: type, path: path)
  }
}
