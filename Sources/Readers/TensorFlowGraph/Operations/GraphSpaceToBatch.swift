import ModelIR
import Operators

/// A dilated convolution that is spelled out: places are dealt out to samples, convolved, and collected again.
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
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.sample(0)
    let block = try node.constant(1).integers()
    let sides = try node.constant(2).integers()
    guard (1...2).contains(block.count), sides.count == 2 * block.count,
      block.allSatisfy({ (1...1 << 40).contains($0) }),
      sides.allSatisfy({ (0...1 << 40).contains($0) })
    else { throw .wrongBlock(block) }
    let pairs = sides.pairs
    if node.operation == "SpaceToBatchND" {
      return [.value(try dealt(input, block, pairs, &graph))]
    }
    return [.value(try collected(input, block, pairs, &graph))]
  }

  private static func dealt(
    _ input: GraphValue, _ block: [Int], _ paddings: [[Int]], _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    guard input.shape.rank == block.count + 1 else {
      throw .wrongRankOfValue(input.shape, expected: block.count + 2)
    }
    var dimensions = input.shape.dimensions
    for axis in block.indices {
      guard let length = dimensions[axis] else { throw .openSize(input.shape) }
      let padded = length + paddings[axis][0] + paddings[axis][1]
      guard padded % block[axis] == 0 else { throw .wrongBlock(block) }
      dimensions[axis] = padded / block[axis]
    }
    return graph.draft(
      GraphDealing(input: input, block: block, paddings: paddings), shape: Shape(dimensions))
  }

  private static func collected(
    _ input: GraphValue, _ block: [Int], _ crops: [[Int]], _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue {
    guard let dealing = graph.drafts[input.draft].dealing, let convolution = dealing.convolution,
      dealing.block == (dealing.isLine ? [1] + block : block),
      input.shape.rank == block.count + 1
    else { throw .dealsOutMore }
    var base = dealing.input
    let isLine = dealing.isLine
    let allCrops = isLine ? [[0, 0]] + crops : crops
    var sides: [[Int]] = []
    for (padding, crop) in zip(dealing.paddings, allCrops) {
      // What is cut off in the end was padded for nothing.
      guard padding[0] >= crop[0], padding[1] >= crop[1] else { throw .dealsOutMore }
      sides.append([padding[0] - crop[0], padding[1] - crop[1]])
    }
    if isLine {
      base = try graph.reshape(
        base, to: Shape([1] + base.shape.dimensions))
    }
    let value = try GraphConvolution.convolution(
      convolution, base, dilation: dealing.block, padding: sides, &graph)
    return isLine
      ? try graph.reshape(value, to: Shape(Array(value.shape.dimensions.dropFirst()))) : value
  }
}

/// Places that are dealt out to samples.
struct GraphDealing {
  /// What was dealt out.
  let input: GraphValue
  /// To how many samples, along each axis.
  var block: [Int]
  /// The zeros around it, along each axis.
  var paddings: [[Int]]
  /// What each sample is convolved with, if it was.
  var convolution: MappedNode?
  /// Whether an axis of size 1 was put in front of the only one, for the convolution.
  var isLine = false

  /// The same, with an axis of size 1 in front of the only one.
  var asImage: GraphDealing? {
    guard block.count == 1, convolution == nil else { return nil }
    return GraphDealing(
      input: input, block: [1] + block, paddings: [[0, 0]] + paddings, isLine: true)
  }
}
