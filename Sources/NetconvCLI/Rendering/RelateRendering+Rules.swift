import ModelIR
import NetconvKit

/// The rules file that was written.
extension RelateRendering {
  /// The limit on names in a list.
  private static let mostNames = 8

  static func lines(_ rules: RelateReport.Rules) -> [String] {
    var lines = [
      "wrote \(escaped(rules.path)): \(counted(rules.count, "rule")) for \(counted(rules.made, "tensor"))"
    ]
    if !rules.unsaid.isEmpty {
      lines.append("not said by rules: \(counted(rules.unsaid.count, "tensor"))")
      lines += rules.unsaid.prefix(mostNames).map { "  \(escaped($0.name)): \(escaped($0.reason))" }
      if rules.unsaid.count > mostNames {
        lines.append("  and \(grouped(rules.unsaid.count - mostNames)) more (--json lists them)")
      }
    }
    if !rules.leftOut.isEmpty { lines.append("left out of A: \(list(rules.leftOut))") }
    if !rules.rounded.isEmpty { lines.append("equal up to rounding: \(list(rules.rounded))") }
    if let type = rules.elementType {
      lines.append("the tensors of B are \(type): convert with --dtype \(type)")
    }
    for size in rules.sizes {
      lines.append(
        "\(size.size) stays a number: it is \(size.keys.map { escaped($0) }.joined(separator: " and ")) of config.json"
      )
    }
    return lines
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(mostNames).map { escaped($0) }.joined(separator: ", ")
    return names.count > mostNames
      ? "\(shown) and \(grouped(names.count - mostNames)) more" : shown
  }
}
