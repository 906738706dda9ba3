import ModelIR

/// The name of a node's output: `node`, `node:1`, and in functions `node:output:0`.
struct TensorName {
  /// The name of the node, or of an argument of a function.
  let node: String
  private let argument: String?
  private let index: Int

  init(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    node = String(parts[0])
    argument = parts.count == 3 ? String(parts[1]) : nil
    index = parts.count > 1 ? Self.index(parts[parts.count - 1]) : 0
  }

  /// The largest valid output index; an invalid index is mapped to one that no node has.
  private static let largestIndex = 1 << 20

  private static func index(_ text: Substring) -> Int {
    guard let number = Int(text), (0..<largestIndex).contains(number) else { return largestIndex }
    return number
  }

  /// The index of the output among all outputs of `node`.
  ///
  /// In a function, the index is relative to a named result of the operation's definition.
  func output(of node: GraphNode) -> Int {
    guard let argument, let names = Self.results[node.operation],
      let place = names.firstIndex(of: argument)
    else { return index }
    return place + index
  }

  /// The results of operations with several, each a single tensor.
  ///
  /// Source: tensorflow/core/ops/nn_ops.cc, array_ops.cc and control_flow_ops.cc.
  private static let results: [String: [String]] = [
    "FusedBatchNorm": [
      "y", "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2",
    ],
    "FusedBatchNormV2": [
      "y", "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2",
    ],
    "FusedBatchNormV3": [
      "y", "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2",
      "reserve_space_3",
    ],
    "MaxPoolWithArgmax": ["output", "argmax"],
    "Merge": ["output", "value_index"],
    "Switch": ["output_false", "output_true"],
    "TopKV2": ["values", "indices"],
    "Unique": ["y", "idx"],
  ]
}
