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
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.sample(0)
    let paddings = try node.constant(1).integers()
    if node.operation == "PadV2" {
      guard let number = try node.constant(2).scalar(), number == 0 else { throw .padsWithNumbers }
    }
    guard paddings.count == 2 * input.rank, paddings.allSatisfy({ $0 >= 0 }) else {
      throw .wrongPaddings(paddings)
    }
    let pairs = paddings.pairs
    guard pairs[0] == [0, 0] else { throw .batchAxis }
    let own = Array(pairs.dropFirst())
    if own.allSatisfy({ $0 == [0, 0] }) { return [.value(input)] }
    switch own.count {
    case 2 where own[1] == [0, 0]:
      return [
        .value(try graph.draft(ZeroPadding1D(before: own[0][0], after: own[0][1]), [input]))
      ]
    case 3 where own[2] == [0, 0]:
      return [.value(try pad(input, own[0], own[1], .counted(moved: nil), &graph))]
    case 3 where own[0] == [0, 0]:
      return [.value(try pad(input, own[1], own[2], .channelsFirst, &graph))]
    default: throw .wrongPaddings(paddings)
    }
  }

  private static func pad(
    _ input: GraphValue, _ height: [Int], _ width: [Int], _ axes: GraphDraft.Axes,
    _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    try graph.draft(
      ZeroPadding2D(top: height[0], bottom: height[1], left: width[0], right: width[1]), [input],
      axes: axes)
  }
}

extension [Int] {
  /// Two numbers for each axis, before and after it, as paddings are stored.
  var pairs: [[Int]] {
    stride(from: 0, to: count - 1, by: 2).map { [self[$0], self[$0 + 1]] }
  }
}
