import ModelIR

/// Conditionals whose condition is not constant; of others, `ONNXSource` maps the branch that is taken.
///
/// Source: onnx/docs/Operators.md, `If`.
enum ONNXConditional: ONNXOperation {
  static let names = ["If"]
  static let refused = ["conditions that follow from what is fed"]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    _ = try node.constant(0)
    throw .missingAttribute("then_branch")
  }
}
