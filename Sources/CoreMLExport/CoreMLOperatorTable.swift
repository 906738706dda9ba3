import ModelIR
import ONNXExport
import Operators

/// A table of the operations of Core ML for each operator, for documentation.
public enum CoreMLOperatorTable {
  /// The table in Markdown; operators over sequences and images with the same operations share a row.
  public static var markdown: String {
    OperatorTable.markdown("written as") { remark(on: $0) }
  }

  /// Returns the operations for an operator: those for each operation of the graph that it becomes.
  static func remark(on type: any Operator.Type) -> String {
    guard let operations = ONNXOperatorTable.operations(of: type) else {
      return "refused: the graph that is translated has no operation for it"
    }
    let parts = operations.split(separator: "`", omittingEmptySubsequences: false)
    // Every second part is between two backticks: the name of an operation of the graph.
    let remarks = parts.enumerated().map { index, part -> String in
      guard !index.isMultiple(of: 2) else { return String(part) }
      if let translated = MILTranslations.byName[String(part)] { return translated.operations }
      let isOperator = OperatorRegistry.all.contains { $0.name == part }
      return isOperator ? "`\(part)`" : "`\(part)` (refused)"
    }
    return remarks.joined()
  }
}
