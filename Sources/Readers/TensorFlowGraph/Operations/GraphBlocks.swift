import ModelIR
import Operators

/// Space-to-depth and depth-to-space.
///
/// Source: tensorflow/core/ops/array_ops.cc, `DepthToSpace` and `SpaceToDepth`.
enum GraphBlocks: GraphOperation {
  static let names = ["DepthToSpace", "SpaceToDepth"]
  static let operators: [any Operator.Type] = [Permute.self, Reshape.self]
  static let refused = ["channels first"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    guard try !node.isChannelsFirst() else {
      throw .unknownSetting("data_format", "NCHW", known: ["NHWC"])
    }
    let input = try graph.sample(node.input(0))
    guard input.shape.rank == 3 else { throw .wrongRankOfValue(input.shape, expected: 4) }
    guard let own = input.shape.known else { throw .openSize(input.shape) }
    let block = node.integer("block_size", default: 0)
    let (h, w, c) = (own[0], own[1], own[2])
    guard (1...1 << 20).contains(block) else { throw .wrongBlock([block]) }
    if node.operation == "DepthToSpace" {
      guard c % (block * block) == 0 else { throw .wrongBlock([block]) }
      let rest = c / (block * block)
      return [
        .value(
          try graph.rearrange(
            input, apart: [h, w, block, block, rest], [0, 2, 1, 3, 4],
            joined: [h * block, w * block, rest]))
      ]
    }
    guard h % block == 0, w % block == 0 else { throw .wrongBlock([block]) }
    return [
      .value(
        try graph.rearrange(
          input, apart: [h / block, block, w / block, block, c], [0, 2, 1, 3, 4],
          joined: [h / block, w / block, block * block * c]))
    ]
  }
}
