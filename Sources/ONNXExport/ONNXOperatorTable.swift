import ModelIR
import Operators

/// What becomes of each operator in a graph of ONNX, for documentation.
public enum ONNXOperatorTable {
  /// The operations that an operator becomes; `nil` if it is refused.
  public static func operations(of type: any Operator.Type) -> String? {
    (type as? any ONNXForm.Type)?.onnxOperations
  }

  /// A row for each operator; those over sequences and images that become the same have one.
  public static var markdown: String {
    var rows: [(names: [String], operations: String)] = []
    for type in OperatorRegistry.all {
      let operations = operations(of: type) ?? "refused: ONNX has no operation for it"
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
