import ModelIR
import NetconvKit

/// Prints a comparison of layers.
enum ComparisonRendering {
  static func print(_ report: ComparisonReport) {
    let precision = report.precision == Precision.float32.rawValue ? "" : "in \(report.precision) "
    Output.print(
      "compared   \(precision)with \(escaped(report.reference)) on \(report.inputs); each layer is fed with the "
        + "reference's inputs")
    Output.print("")
    var table = TextTable([
      ("layer", .name), ("type", .name), ("max abs", .right), ("mean abs", .right),
      ("ULPs", .right), ("cosine", .right), ("tolerance", .right), ("", .left),
    ])
    for row in report.layers {
      let counterpart = row.counterpart.map { " (\(escaped($0)))" } ?? ""
      let tolerance = row.shapes == nil ? significant(row.tolerance) : "-"
      table.append(
        [escaped(row.name) + counterpart, row.operator] + distances(row.difference)
          + [tolerance, verdict(row)])
    }
    Output.print(table, indent: 2)
    Output.print("")
    Output.print("layers     " + summary(of: report.layers))
    if !report.unmatched.isEmpty {
      Output.print(
        "           not compared: \(report.unmatched.map { escaped($0) }.joined(separator: ", "))")
    }
    for row in report.layers {
      guard let ties = row.ties else { continue }
      Output.print(
        "           not compared in \(escaped(row.name)): \(grouped(ties)) of "
          + "\(grouped(ties + row.difference.count)) values, which rounding may change")
    }
    for row in report.outputs {
      let difference = row.difference
      let cosine = difference.cosine.map { fixed($0, 9) } ?? "-"
      let rest = notFinite(difference).map { "; " + $0 }.joined()
      Output.print(
        "end to end \(escaped(row.name)): max abs \(significant(difference.maximumAbsolute)), "
          + "mean abs \(significant(difference.meanAbsolute)), cosine \(cosine)\(rest)")
    }
  }

  /// The number of layers within their tolerance, and of those without a verdict.
  private static func summary(of rows: [ComparisonReport.LayerRow]) -> String {
    let undecided = rows.filter { $0.ties != nil && $0.difference.count == 0 }.count
    let unknown = rows.filter { $0.shapes == nil && $0.difference.isUnknown }.count - undecided
    let misshapen = rows.filter { $0.shapes != nil }.count
    let beyond = rows.filter { !$0.passed && !$0.difference.isUnknown }.count
    let known = rows.count - unknown - misshapen - undecided
    let parts = [
      beyond > 0
        ? "\(beyond) of \(rows.count) beyond their tolerance"
        : unknown + misshapen + undecided == 0
          ? rows.count == 1
            ? "it is within its tolerance" : "all \(rows.count) are within their tolerance"
          : known > 0 ? "\(known) of \(rows.count) are within their tolerance" : nil,
      misshapen > 0 ? "\(misshapen) of \(rows.count) of another shape" : nil,
      undecided > 0
        ? "\(undecided) of \(rows.count) not compared: rounding may change all values" : nil,
      unknown > 0 ? "\(unknown) of \(rows.count) not compared: both are not finite" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: "; ")
  }

  /// The numbers of pairs that are excluded from the distances.
  private static func notFinite(_ difference: ComparisonReport.Distances) -> [String] {
    let (alike, unlike) = (difference.alikeNonFinite, difference.mismatchedNonFinite)
    let all = unlike == 0 && alike == difference.count ? "all " : ""
    return [
      unlike > 0 ? "\(grouped(unlike)) not finite and unlike" : nil,
      alike > 0 ? "\(all)\(grouped(alike)) not finite in both" : nil,
    ].compactMap(\.self)
  }

  /// The first failed layer, and the diagnosis of each.
  static func failures(of report: ComparisonReport) -> [String] {
    guard let first = report.layers.first(where: { !$0.passed }) else { return [] }
    let which =
      first.uncompared == nil ? "the first layer that" : "the first layer that was compared and"
    var lines = [
      "netconv: \(quoted(first.name)) is \(which) "
        + (first.shapes == nil && first.difference.isUnknown
          ? "cannot be compared: both are not finite; --allow-not-finite accepts that"
          : "differs from the reference")
    ]
    if let count = first.uncompared, first.diagnosis == nil {
      lines[0] +=
        "; the mistake is there, or in \(count == 1 ? "the layer" : "the \(grouped(count)) layers") "
        + "before it that could not be compared"
    }
    for row in report.layers where !row.passed {
      if let diagnosis = row.diagnosis {
        lines.append("  \(escaped(row.name)): \(diagnosis.finding)")
        lines.append("    \(diagnosis.advice)")
      } else if row.difference.isUnknown {
        lines.append(
          "  \(escaped(row.name)): " + notFinite(row.difference).joined(separator: ", "))
      } else {
        lines.append("  \(escaped(row.name)): no known mistake explains it")
      }
    }
    return lines
  }

  private static func distances(_ difference: ComparisonReport.Distances) -> [String] {
    [
      significant(difference.maximumAbsolute), significant(difference.meanAbsolute),
      difference.maximumULPs.map { $0 > 9_999_999 ? "many" : "\($0)" } ?? "-",
      difference.cosine.map { fixed($0, 7) } ?? "-",
    ]
  }

  private static func verdict(_ row: ComparisonReport.LayerRow) -> String {
    guard row.shapes == nil else { return "another shape" }
    let isBeyond = row.difference.maximumAbsolute.map { $0 > row.tolerance } ?? false
    return ((isBeyond ? ["beyond"] : []) + notFinite(row.difference)).joined(separator: ", ")
  }
}
