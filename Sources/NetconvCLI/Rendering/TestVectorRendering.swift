import ModelIR
import NetconvKit

/// Prints a comparison with a file's own samples.
enum TestVectorRendering {
  /// - Parameter isAlone: True if no layers were compared.
  static func print(_ report: TestVectorReport, isAlone: Bool) {
    let precision = report.precision == Precision.float32.rawValue ? "" : "in \(report.precision) "
    let difference = report.difference
    let tolerance = report.tolerance.map { significant($0) } ?? "-"
    Output.print(
      "tested     \(precision)with the \(grouped(report.steps)) samples that \(escaped(report.reference)) holds, from "
        + "zeros on: \(escaped(report.output)) max abs \(significant(difference.maximumAbsolute)), "
        + "mean abs \(significant(difference.meanAbsolute)), tolerance \(tolerance)")
    guard isAlone else { return }
    Output.print("           not compared: the layers before the output")
  }

  /// The failure of the output, and its possible cause.
  ///
  /// - Parameter comparison: The comparison of layers.
  static func failures(
    of report: TestVectorReport, beside comparison: ComparisonReport?
  ) -> [String] {
    guard let failure = report.failure else { return [] }
    var lines = ["netconv: \(failure)"]
    if report.tolerance == nil {
      lines.append("  \(report.precision) cannot hold the values that it depends on")
    } else if let comparison, comparison.passed, comparison.reference == report.reference {
      lines.append(
        "  all layers are equal to \(quoted(report.reference)): its weights and its samples do not belong together"
      )
    }
    return lines
  }
}
