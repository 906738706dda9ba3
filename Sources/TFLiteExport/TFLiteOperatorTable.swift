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
    OperatorTable.markdown("written as") { operations(of: $0) ?? "refused: it is not written" }
  }
}
