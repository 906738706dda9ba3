import ModelIR
import Operators

/// A table of the operators that are written in C, for documentation.
public enum COperatorTable {
  /// Returns what is written for an operator; `nil` if it is refused.
  static func remark(on type: any Operator.Type) -> String? {
    if type is any CompositeOperator.Type { return "yes, as two steps" }
    guard type is any COperator.Type else { return nil }
    switch type {
    case is any SteppingOperator.Type: return "yes, but for stateful layers"
    case is LayerNormalization.Type, is UnitNormalization.Type: return "yes, along adjacent axes"
    case is TimeDistributed.Type: return "yes, of operators that are written"
    default: return "yes"
    }
  }

  /// The table in Markdown; operators over sequences and images share a row.
  public static var markdown: String {
    OperatorTable.markdown("in C") { remark(on: $0) ?? "no: refused by name" }
  }
}
