import Operators

/// The operations of TensorFlow that are read, as Docs/formats/tensorflow.md lists them.
public enum GraphOperationTable {
  /// A table in Markdown, from the mappings.
  public static var markdown: String {
    let rows = GraphOperations.all.map { operation in
      let names = Set(operation.names).sorted().map { "`\($0)`" }.joined(separator: ", ")
      let operators = operation.operators.map { "`\($0.name)`" }.joined(separator: ", ")
      let refused = operation.refused.joined(separator: "; ")
      return "| \(names) | \(operators) | \(refused) |\n"
    }
    let folded = ConstantFolding.names.sorted().map { "`\($0)`" }.joined(separator: ", ")
    return "| operations | operators | refused |\n|---|---|---|\n" + rows.joined()
      + "\nOf constants are computed: \(folded).\n"
  }

  /// The operators that layers of graphs are.
  public static var operators: Set<String> {
    Set(GraphOperations.all.flatMap(\.operators).map { $0.name }).union(["Identity", "PReLU"])
  }
}
