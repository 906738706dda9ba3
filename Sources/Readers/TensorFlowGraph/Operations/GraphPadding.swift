import ModelIR
import Operators

/// Constant and mirrored padding.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Pad`, `PadV2` and `MirrorPad`.
enum GraphPadding: GraphOperation {
  static let names = ["MirrorPad", "Pad", "PadV2"]
  static let operators: [any Operator.Type] = [
    Concatenate.self, Constant.self, Cropping1D.self, Cropping2D.self, Slice.self,
    ZeroPadding1D.self, ZeroPadding2D.self,
  ]
  static let refused = ["the batch's axis"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.value(0)
    let paddings = try node.constant(1).integers()
    guard paddings.count == 2 * input.rank, paddings.allSatisfy({ $0 >= 0 }) else {
      throw .wrongPaddings(paddings)
    }
    var border = GraphBorder.number(0)
    switch node.operation {
    case "PadV2":
      let number = try node.constant(2)
      guard let scalar = try number.scalar() else {
        throw .wrongRankOfConstant(number.shape, expected: 0)
      }
      border = .number(scalar)
    case "MirrorPad":
      border = node.text("mode", default: "REFLECT") == "SYMMETRIC" ? .symmetric : .reflect
    default: break
    }
    return [.value(try graph.pad(input, paddings.pairs, with: border))]
  }
}

extension [Int] {
  /// The pairs of paddings before and after each axis.
  var pairs: [[Int]] {
    stride(from: 0, to: count - 1, by: 2).map { [self[$0], self[$0 + 1]] }
  }
}
