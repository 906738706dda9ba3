import ModelIR
import Operators

/// Maximum and average pooling.
///
/// Source: tensorflow/lite/kernels/pooling.cc.
enum TFLitePooling: TFLiteOperation {
  static let names = ["AVERAGE_POOL_2D", "MAX_POOL_2D"]
  static let operators: [any Operator.Type] = [AveragePooling2D.self, MaxPooling2D.self]

  static func results(
    of node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    [
      try node.activated(
        pooled(node, &graph), by: node.options(5).choice(5), &graph)
    ]
  }

  /// Drafts the pooling without its activation.
  static func pooled(
    _ node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let options = try node.options(5)
    var attributes = try window(options)
    attributes["ksize"] = .integers([1, try options.integer(4), try options.integer(3), 1])
    let results = try node.results(
      as: node.operation == "MAX_POOL_2D" ? "MaxPool" : "AvgPool", [node.input(0)], attributes,
      &graph)
    return results[0]
  }

  /// The padding and strides as TensorFlow attributes; they are the first fields of all options tables with windows.
  static func window(
    _ options: TFLiteOptions
  ) throws(NetconvError) -> [String: GraphAttribute] {
    let padding = try options.choice(0)
    guard [0, 1].contains(padding) else {
      throw .unknownSetting("padding", "\(padding)", known: ["SAME", "VALID"])
    }
    let strides = [try options.integer(2), try options.integer(1)]
    guard strides.allSatisfy({ $0 > 0 }) else {
      throw .unknownSetting("strides", "\(strides)", known: ["numbers above 0"])
    }
    return [
      "padding": .text(Array((padding == 0 ? "SAME" : "VALID").utf8)),
      "strides": .integers([1] + strides + [1]),
    ]
  }
}
