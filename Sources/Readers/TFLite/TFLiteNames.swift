import ModelIR

/// Names for operators, derived from their first output: the format does not store operator names.
///
/// A converter that fuses operations joins their names with semicolons; the first one is used.
struct TFLiteNames {
  private var unique = UniqueNames(separator: "_", from: 1)

  /// Returns a unique name for an operator of a subgraph.
  mutating func next(_ node: TFLiteOperator, in subgraph: TFLiteSubgraph) -> String {
    let output = node.outputs.first.map { subgraph.tensors[$0].name } ?? node.name
    var name = output.prefix { $0 != ";" }
    // TensorFlow's name of the first output of an operation.
    if name.hasSuffix(":0") { name = name.dropLast(2) }
    return unique.next(name.isEmpty ? node.name : String(name))
  }
}
