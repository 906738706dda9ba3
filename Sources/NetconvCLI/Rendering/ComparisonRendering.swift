import ModelIR
import NetconvKit

/// How a comparison of layers is shown.
enum ComparisonRendering {
  static func print(_ report: ComparisonReport) {
    Output.print(
      "compared   with \(escaped(report.reference)) on \(report.inputs); each layer is fed with what its "
        + "inputs should be")
    Output.print("")
    var table = TextTable([
      ("layer", .name), ("type", .name), ("max abs", .right), ("mean abs", .right),
      ("ULPs", .right), ("cosine", .right), ("tolerance", .right), ("", .left),
    ])
    for row in report.layers {
      table.append(
        [
          escaped(row.name) + (row.counterpart.map { " (\(escaped($0)))" } ?? ""), row.operator,
        ] + distances(row.difference) + [significant(row.tolerance), verdict(row)])
    }
    Output.print(table, indent: 2)
    Output.print("")
    let failed = report.layers.filter { !$0.passed }.count
    Output.print(
      "layers     "
        + (failed == 0
          ? "all \(report.layers.count) are within their tolerance"
          : "\(failed) of \(report.layers.count) beyond their tolerance"))
    if !report.unmatched.isEmpty {
      Output.print(
        "           not compared: \(report.unmatched.map { escaped($0) }.joined(separator: ", "))")
    }
    for row in report.outputs {
      Output.print(
        "end to end \(escaped(row.name)): max abs \(significant(row.difference.maximumAbsolute)), "
          + "mean abs \(significant(row.difference.meanAbsolute)), cosine "
          + (row.difference.cosine.map { fixed($0, 9) } ?? "-"))
    }
  }

  /// The first layer that is wrong, and what is wrong with each.
  static func failures(of report: ComparisonReport) -> [String] {
    guard let first = report.firstFailure else { return [] }
    var lines = [
      "netconv: \(quoted(first)) is the first layer that is not what it should be"
    ]
    for row in report.layers where !row.passed {
      if let diagnosis = row.diagnosis {
        lines.append("  \(escaped(row.name)): \(diagnosis.finding)")
        lines.append("    \(diagnosis.advice)")
      } else {
        lines.append("  \(escaped(row.name)): none of the known mistakes explains it")
      }
    }
    return lines
  }

  private static func distances(_ difference: ComparisonReport.Distances) -> [String] {
    [
      significant(difference.maximumAbsolute), significant(difference.meanAbsolute),
      difference.maximumULPs > 9_999_999 ? "many" : "\(difference.maximumULPs)",
      difference.cosine.map { fixed($0, 7) } ?? "-",
    ]
  }

  private static func verdict(_ row: ComparisonReport.LayerRow) -> String {
    guard !row.passed else { return "" }
    let count = row.difference.mismatchedNonFinite
    return count > 0 ? "\(count) not finite" : "beyond"
  }
}
