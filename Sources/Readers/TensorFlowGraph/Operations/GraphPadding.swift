import ModelIR
import Operators

/// Zeros around images and sequences.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Pad` and `PadV2`.
enum GraphPadding: GraphOperation {
  static let names = ["Pad", "PadV2"]
  static let operators: [any Operator.Type] = [ZeroPadding1D.self, ZeroPadding2D.self]
  static let refused = ["other constants than 0", "the axes of the batch and of both ends at once"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.sample(0)
    let paddings = try node.constant(1).integers()
    if node.operation == "PadV2" {
      guard let number = try node.constant(2).scalar(), number == 0 else { throw .padsWithNumbers }
    }
    guard paddings.count == 2 * input.rank else { throw .wrongPaddings(paddings) }
    return [.value(try graph.pad(input, paddings.pairs))]
  }
}

extension [Int] {
  /// Two numbers for each axis, before and after it, as paddings are stored.
  var pairs: [[Int]] {
    stride(from: 0, to: count - 1, by: 2).map { [self[$0], self[$0 + 1]] }
  }
}
