import ModelIR

/// What operators are called, which have no names of their own: after the first value that they give.
///
/// A converter that joins operations joins their names too, with a semicolon between them.
struct TFLiteNames {
  private var unique = UniqueNames(separator: "_", from: 1)

  /// The name of an operator of a subgraph, which no other before it has.
  mutating func next(_ node: TFLiteOperator, in subgraph: TFLiteSubgraph) -> String {
    let output = node.outputs.first.map { subgraph.tensors[$0].name } ?? node.name
    var name = output.prefix { $0 != ";" }
    // The first output of an operation of TensorFlow.
    if name.hasSuffix(":0") { name = name.dropLast(2) }
    return unique.next(name.isEmpty ? node.name : String(name))
  }
}
