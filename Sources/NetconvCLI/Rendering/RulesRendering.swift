import ModelIR
import NetconvKit

/// Prints the effect of rules on the tensors of a source.
enum RulesRendering {
  /// Prints one line for each rule, or one for each of its changes.
  static func print(_ report: RulesReport, isVerbose: Bool) {
    for rule in report.rules {
      let number = rule.number.map(String.init) ?? "-"
      if rule.tensors.isEmpty { Output.print("\(number)  matches no tensor") }
      let changes = isVerbose ? rule.tensors[...] : rule.tensors.prefix(1)
      for change in changes {
        Output.print("\(number)  \(text(change))")
      }
      if rule.tensors.count > changes.count {
        Output.print("   and \(grouped(rule.tensors.count - changes.count)) more alike")
      }
    }
    let rest = report.untouched
    if !rest.isEmpty {
      let shown = isVerbose ? rest[...] : rest.prefix(6)
      let more = rest.count > shown.count ? " and \(grouped(rest.count - shown.count)) more" : ""
      Output.print(
        "\(counted(rest.count, "tensor")) that no rule changes: \(shown.map { escaped($0) }.joined(separator: ", "))\(more)"
      )
    }
    Output.print("")
  }

  private static func text(_ change: RulesReport.Change) -> String {
    let from = change.from.map { escaped($0) }.joined(separator: " + ")
    let to = change.to.map { escaped($0) }.joined(separator: ", ")
    return to.isEmpty ? "\(from) is left out" : "\(from) -> \(to)"
  }
}
