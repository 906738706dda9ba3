import ModelIR
import Operators

/// Maxima and means of windows.
///
/// Source: tensorflow/core/ops/nn_ops.cc, `MaxPool` and `AvgPool`.
enum GraphPooling: GraphOperation {
  static let names = ["AvgPool", "MaxPool", "MaxPoolV2"]
  static let operators: [any Operator.Type] = [AveragePooling2D.self, MaxPooling2D.self]
  static let refused = ["explicit padding", "windows along the channels"]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.sample(0)
    guard input.shape.rank == 3 else { throw .wrongRankOfValue(input.shape, expected: 4) }
    let isFirst = try node.isChannelsFirst()
    var node = node
    if node.operation == "MaxPoolV2" { node = try node.withWindowFromInputs() }
    let size = try node.spatial("ksize", isFirst: isFirst)
    let strides = try node.spatial("strides", isFirst: isFirst)
    let window = try GraphWindow(node, isFirst: isFirst)
    guard window.sides == nil else {
      throw .unknownSetting("padding", "EXPLICIT", known: ["SAME", "VALID"])
    }
    let (poolSize, steps) = (Size2D(size[0], size[1]), Size2D(strides[0], strides[1]))
    let operation: any Operator =
      node.operation == "AvgPool"
      ? AveragePooling2D(poolSize: poolSize, strides: steps, padding: window.padding)
      : MaxPooling2D(poolSize: poolSize, strides: steps, padding: window.padding)
    return [
      .value(
        try graph.draft(
          operation, [input], axes: isFirst ? .channelsFirst : .counted(moved: nil)))
    ]
  }
}

extension MappedNode {
  /// The node with its window and its strides as settings, which it has as inputs.
  fileprivate func withWindowFromInputs() throws(NetconvError) -> MappedNode {
    var attributes = attributes
    attributes["ksize"] = .integers(try constant(1).integers())
    attributes["strides"] = .integers(try constant(2).integers())
    return MappedNode(name: name, operation: operation, inputs: inputs, attributes: attributes)
  }
}
