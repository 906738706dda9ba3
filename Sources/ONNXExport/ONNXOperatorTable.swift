import ModelIR
import Operators

/// A table of the ONNX operations for each operator, for documentation.
public enum ONNXOperatorTable {
  /// Returns the ONNX operations for an operator; `nil` if it is not supported.
  public static func operations(of type: any Operator.Type) -> String? {
    (type as? any ONNXForm.Type)?.onnxOperations
  }

  /// The table in Markdown; operators over sequences and images with the same operations share a row.
  public static var markdown: String {
    OperatorTable.markdown("written as") {
      operations(of: $0) ?? "refused: ONNX has no operation for it"
    }
  }
}
