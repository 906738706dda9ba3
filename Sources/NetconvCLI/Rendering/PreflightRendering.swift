import ModelIR
import NetconvKit

/// Prints the effect of dtypes on values.
enum PreflightRendering {
  static func print(
    _ reports: [PreflightReport], failures: [ConvertFailure], _ options: OutputOptions
  ) throws(NetconvError) {
    if options.json {
      try Output.print(json: PreflightSummary(preflights: reports, failures: failures))
    } else if !options.quiet {
      for report in reports { print(report) }
    }
  }

  private static func print(_ report: PreflightReport) {
    let framework = report.framework.map { " (" + escaped($0) + ")" } ?? ""
    Output.print(
      "\(report.source)\(framework) -> \(report.destination), target \(report.target)")
    Output.print("")
    var table = TextTable([
      ("tensor", .name), ("type", .left), ("min", .right), ("max", .right),
      ("infinite", .right), ("subnormal", .right), ("zero", .right), ("worst error", .right),
      ("RMS error", .right),
    ])
    for row in report.tensors {
      table.append(
        row.name, row.dtype, significant(row.min), significant(row.max), grouped(row.overflowed),
        grouped(row.subnormal),
        grouped(row.zeroed), significant(row.worstRelativeError),
        significant(row.rmsRelativeError))
    }
    Output.print(table, indent: 2)
    Output.print("")
    if let rules = report.rules { RulesRendering.print(rules, isVerbose: true) }
    Output.print(
      "\(counted(report.tensors.count, "tensor")), \(byteCount(report.bytes)) if written; errors are relative, "
        + "and nothing was written")
  }
}
