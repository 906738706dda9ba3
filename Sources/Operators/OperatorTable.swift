import ModelIR

/// Tables with a row for each operator, for documentation.
package enum OperatorTable {
  /// Returns a table in Markdown; operators over sequences and images with the same remark share a row.
  ///
  /// - Parameters:
  ///   - heading: the heading of the remarks.
  ///   - remark: returns the remark on an operator.
  package static func markdown(
    _ heading: String, _ remark: (any Operator.Type) -> String
  ) -> String {
    var rows: [(names: [String], remark: String)] = []
    for type in OperatorRegistry.all {
      let remark = remark(type)
      if let last = rows.last, last.remark == remark,
        last.names.last?.dropLast(2) == type.name.dropLast(2)
      {
        rows[rows.count - 1].names.append(type.name)
      } else {
        rows.append(([type.name], remark))
      }
    }
    return "| operator | \(heading) |\n|---|---|\n"
      + rows.map { "| \($0.names.joined(separator: ", ")) | \($0.remark) |\n" }.joined()
  }
}
