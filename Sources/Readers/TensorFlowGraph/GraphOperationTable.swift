import Operators

/// The supported TensorFlow operations, as listed in Docs/formats/tensorflow.md.
public enum GraphOperationTable {
  /// The table in Markdown, generated from the mappings.
  public static var markdown: String {
    var text = "| operations | operators | refused |\n|---|---|---|\n"
    for operation in GraphOperations.all {
      let names: [String] = Array(Set(operation.names)).sorted()
      text += "| \(list(names)) | \(list(operation.operators.map { $0.name })) | "
      text += operation.refused.joined(separator: "; ") + " |\n"
    }
    let folded = GraphOperations.all.flatMap { $0.folded }.sorted()
    return text + "\nComputed where all inputs are constant: \(list(folded)).\n"
  }

  private static func list(_ names: [String]) -> String {
    names.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// The operators that TensorFlow graphs are mapped to.
  public static var operators: Set<String> {
    var names: Set<String> = ["Identity", "PReLU"]
    for operation in GraphOperations.all {
      names.formUnion(operation.operators.map { $0.name })
    }
    return names
  }
}
