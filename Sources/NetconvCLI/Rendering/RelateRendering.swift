import ModelIR
import NetconvKit

/// How relations are shown.
enum RelateRendering {
  static func print(_ report: RelateReport) {
    for (name, source) in [("A", report.a), ("B", report.b)] {
      Output.print(
        SidesRendering.line(
          name, path: escaped(source.path), format: source.format, framework: source.framework,
          tensorCount: source.tensorCount))
    }
    if !report.tensors.isEmpty { Output.print("") }
    for line in report.tensors.flatMap(lines) { Output.print(line) }
    if !report.unused.isEmpty { Output.print("") }
    for unused in report.unused {
      Output.print("only in A: \(text(unused.tensor))\(text(unused.nearest, in: "B"))")
    }
    Output.print("")
    Output.print(verdict(report))
  }

  private static func text(_ tensor: RelateReport.Tensor) -> String {
    "\(escaped(tensor.name)) \(shapeText(tensor.shape))"
  }

  private static func text(_ nearest: RelateReport.Nearest?, in name: String) -> String {
    guard let nearest else { return "" }
    return "; most like \(text(nearest.tensor)) of \(name), at a distance of "
      + significant(nearest.distance)
  }

  private static func lines(_ entry: RelateReport.Entry) -> [String] {
    let name = text(entry.tensor)
    switch entry.status {
    case .unrelated: return ["only in B: \(name)\(text(entry.nearest, in: "A"))"]
    case .related where entry.parts.count == 1:
      return ["\(name) = \(text(entry.parts[0]))"]
    case .related:
      return ["\(name) ="] + entry.parts.map { "  \(places($0.to)): \(text($0))" }
    case .undetermined:
      return ["\(name) is undetermined: \(reason(entry))"] + entry.parts.map { "  \(text($0))" }
    }
  }

  private static func reason(_ entry: RelateReport.Entry) -> String {
    switch entry.ambiguity {
    case "constant": "all values are the same, as in"
    case "tied": "several tensors have these values"
    default: "these rearrangements give the same values"
    }
  }

  private static func text(_ part: RelateReport.Part) -> String {
    guard let source = part.source else { return "zeros" }
    let from = part.from.isEmpty ? "" : " at " + places(part.from)
    let change = part.change.map { ", " + $0 } ?? ""
    let addend = part.addend.map { " + " + text($0) } ?? ""
    return "\(text(source))\(from)\(addend), \(part.summary)\(change)"
  }

  private static func places(_ sections: [RelateReport.Section]) -> String {
    sections.map { "axis \($0.axis) from \($0.start) to \($0.end - 1)" }.joined(separator: ", ")
  }

  private static func verdict(_ report: RelateReport) -> String {
    let statuses = Dictionary(grouping: report.tensors, by: \.status).mapValues(\.count)
    let related = report.tensors.filter { $0.status == .related }
    let exact = related.count { $0.parts.allSatisfy(\.exact) }
    let counts: [(Int?, String)] = [
      (exact, "related"), (related.count - exact, "related up to rounding"),
      (statuses[.undetermined], "undetermined"),
      (statuses[.unrelated], "only in B"), (report.unused.count, "only in A"),
    ]
    return "\(report.complete ? "complete" : "incomplete"): \(SidesRendering.text(counts))"
  }
}
