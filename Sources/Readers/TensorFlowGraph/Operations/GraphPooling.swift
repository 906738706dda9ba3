import ModelIR
import Operators

/// Max and average pooling of images and volumes.
///
/// Source: tensorflow/core/ops/nn_ops.cc, `MaxPool`, `MaxPool3D`, `AvgPool` and `AvgPool3D`.
enum GraphPooling: GraphOperation {
  static let names = ["AvgPool", "AvgPool3D", "MaxPool", "MaxPool3D", "MaxPoolV2"]
  static let operators: [any Operator.Type] = [
    AveragePooling2D.self, AveragePooling3D.self, MaxPooling2D.self, MaxPooling3D.self,
  ]
  static let refused = ["windows along the channels"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try graph.sample(node.input(0))
    var node = node
    if node.operation == "MaxPoolV2" { node = try node.withWindowFromInputs() }
    var window = try GraphWindow(node)
    if let sides = window.sides {
      (window.sides, window.padding) = (nil, .amounts(sides))
    }
    let size = try node.spatial("ksize", isFirst: window.isChannelsFirst)
    return [
      .value(
        try graph.pool(input, size: size, window, isMean: node.operation.hasPrefix("Avg")))
    ]
  }
}

extension MappedNode {
  /// Returns the node with the window and strides as attributes, when they are inputs.
  fileprivate func withWindowFromInputs() throws(NetconvError) -> MappedNode {
    var attributes = attributes
    attributes["ksize"] = .integers(try constant(1).integers())
    attributes["strides"] = .integers(try constant(2).integers())
    return MappedNode(name: name, operation: operation, inputs: inputs, attributes: attributes)
  }
}
