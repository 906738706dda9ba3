import ModelIR
import Operators

/// A dilated convolution that is written as space-to-batch, convolution and batch-to-space.
///
/// Source: tensorflow/core/ops/array_ops.cc, `SpaceToBatchND` and `BatchToSpaceND`; tensorflow/python/ops/nn_ops.py,
/// `_WithSpaceToBatch`.
enum GraphSpaceToBatch: GraphOperation {
  static let names = ["BatchToSpaceND", "SpaceToBatchND"]
  static let operators: [any Operator.Type] = [
    Convolution2D.self, DepthwiseConvolution2D.self, ZeroPadding2D.self,
  ]
  static let refused = ["anything but one convolution of stride 1 between the two"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try graph.sample(node.input(0))
    let block = try node.constant(1).integers()
    let sides = try node.constant(2).integers()
    guard (1...2).contains(block.count), sides.count == 2 * block.count,
      block.allSatisfy({ (1...1 << 40).contains($0) }),
      sides.allSatisfy({ (0...1 << 40).contains($0) })
    else { throw .wrongBlock(block) }
    return [
      .value(
        node.operation == "SpaceToBatchND"
          ? try graph.deal(input, block, sides.pairs)
          : try graph.collect(input, block, sides.pairs))
    ]
  }
}
