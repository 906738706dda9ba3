import ModelIR
import Operators

/// A table of the TensorFlow Lite operators for each operator, for documentation.
public enum TFLiteOperatorTable {
  /// Returns the builtin operators for an operator; `nil` if it is not supported.
  public static func operations(of type: any Operator.Type) -> String? {
    (type as? any TFLiteForm.Type)?.tfliteOperations
  }

  /// The table in Markdown; operators over sequences and images with the same form share a row.
  public static var markdown: String {
    var rows: [(names: [String], operations: String)] = []
    for type in OperatorRegistry.all {
      let operations = operations(of: type) ?? "refused: it is not written"
      if let last = rows.last, last.operations == operations,
        last.names.last?.dropLast(2) == type.name.dropLast(2)
      {
        rows[rows.count - 1].names.append(type.name)
      } else {
        rows.append(([type.name], operations))
      }
    }
    return "| operator | written as |\n|---|---|\n"
      + rows.map { "| \($0.names.joined(separator: ", ")) | \($0.operations) |\n" }.joined()
  }
}
