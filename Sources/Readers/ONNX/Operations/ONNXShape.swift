import ModelIR

/// The shapes of values, which are constant except for the batch size.
///
/// Source: onnx/docs/Operators.md, `Shape` and `Size`.
enum ONNXShape: ONNXOperation {
  static let names = ["Shape", "Size"]
  static let refused = ["sizes other than the batch's that are open"]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let sizes = try graph.shape(of: node.input(0), type: .number(.int64))
    if node.operation == "Size" {
      return [
        .constant(
          try sizes.reduced(.product, axes: [0], keepDimensions: false, at: graph.node))
      ]
    }
    func place(_ key: String, _ fallback: Int) -> Int {
      let stated = node.integer(key, default: fallback)
      return min(max(stated < 0 ? stated + sizes.count : stated, 0), sizes.count)
    }
    let (start, end) = (place("start", 0), place("end", sizes.count))
    return [
      .constant(
        try sizes.sliced(
          [StridedSlice.Part(start: start, stride: 1, count: max(0, end - start))],
          at: graph.node))
    ]
  }
}
