import ModelIR
import Operators

/// Cumulative sums and triangular matrices.
///
/// Source: onnx/docs/Operators.md, `CumSum` and `Trilu`.
enum ONNXTriangle: ONNXOperation {
  static let names = ["CumSum", "Trilu"]
  static let operators: [any Operator.Type] = [Constant.self, Dense.self, Where.self]
  static let refused = ["the batch's axis", "axes of open size"]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    if node.operation == "Trilu" { return [try triangle(node, &graph)] }
    let input = try node.value(0)
    guard let number = try node.constant(1).scalar(), let stated = Int(exactly: number) else {
      throw .wrongSlice
    }
    let axis = try resolvedAxis(stated, rank: input.rank)
    let count = try input.size(axis)
    _ = try foldedCount(of: [count, count])
    let (isExclusive, isReverse) = (node.flag("exclusive"), node.flag("reverse"))
    let ones = (0..<count).flatMap { row in
      (0..<count).map { column in
        let isSummed = isReverse ? column >= row : column <= row
        return isSummed && !(isExclusive && row == column) ? 1.0 : 0
      }
    }
    return [
      try graph.mix(
        .value(input), along: axis,
        by: GraphConstant(
          ones, shape: [count, count], type: .float32, path: "\(graph.node)/ones"))
    ]
  }

  /// The upper or lower triangle of each matrix; all other values are zero.
  private static func triangle(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let diagonal = try node.optionalConstant(1)?.scalar() ?? 0
    let isUpper = node.flag("upper", default: true)
    let sizes: [Int]
    switch try node.input(0) {
    case .constant(let constant): sizes = Array(constant.shape.suffix(2))
    case let other:
      let value = try graph.value([other], 0)
      sizes = [try value.size(-2), try value.size(-1)]
    }
    guard sizes.count == 2 else { throw .wrongRankOfConstant(sizes, expected: 2) }
    let count = try foldedCount(of: sizes)
    let kept = (0..<count).map { index in
      let distance = Double(index % sizes[1] - index / sizes[1])
      return (isUpper ? distance >= diagonal : distance <= diagonal) ? 1.0 : 0
    }
    let mask = GraphConstant(kept, shape: sizes, type: .truth, path: "\(graph.node)/triangle")
    return try graph.apply(.select, [.constant(mask), node.input(0), .number(0)])
  }
}
