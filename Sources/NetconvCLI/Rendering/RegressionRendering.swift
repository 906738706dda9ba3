import ModelIR
import NetconvKit

/// Prints the results of a regression.
enum RegressionRendering {
  /// The number of misses shown; `--json` lists more.
  private static let missLimit = 5

  static func print(_ regression: VerifyReport.Regression, of report: VerifyReport) {
    let name = regression.metric.rawValue
    Output.print(
      "data       \(regression.dataset), \(grouped(regression.count)) \(regression.pixels.noun)"
        + shapes(regression) + VerifyRendering.order(regression.axes))
    Output.print(VerifyRendering.prepared(regression.pixels))
    Output.print(
      name + String(repeating: " ", count: 11 - name.count),
      emphasizing: significant(regression.value), certainty(regression))
    if regression.nonFinite > 0 {
      Output.print(
        "not finite \(share(regression)): an output is infinite or NaN, so the metric has no value"
      )
    }
    printWorst(regression)
    Output.print(
      VerifyRendering.speed(regression.samplesPerSecond, regression.pixels.noun, of: report))
    if regression.isNoBetterThanMean {
      Output.print(
        "hint       always predicting the mean of the targets would be no worse; are the targets in the order, scale "
          + "and unit of the outputs?")
    }
    if regression.isNoBetterThanMean || !regression.isAccurate, report.comparison == nil,
      let advice = VerifyRendering.advice(for: report)
    {
      Output.print(advice)
    }
  }

  /// The unmet requirements, one per line.
  static func failures(of regression: VerifyReport.Regression) -> [String] {
    var lines: [String] = []
    if !regression.isFinite { lines.append(VerifyRendering.notFinite(share(regression))) }
    guard !regression.isAccurate else { return lines }
    let name = regression.metric.rawValue
    let bound =
      regression.maximumError.map { "not within the \($0)" }
      ?? regression.minimumR2.map { "not as high as the \($0)" } ?? ""
    lines.append("netconv: the \(name) \(significant(regression.value)) is \(bound) asked for")
    return lines
  }

  /// The shapes that differ between the file and the model: `, targets (12) taken as (12, 1)`.
  private static func shapes(_ regression: VerifyReport.Regression) -> String {
    let pairs = [
      ("samples", regression.sampleShape, regression.inputShape),
      ("targets", regression.targetShape, regression.outputShape),
    ]
    return pairs.filter { $0.1 != $0.2 }.map { name, found, taken in
      ", \(name) \(shapeText(found)) taken as \(shapeText(taken))"
    }.joined()
  }

  /// The share of non-finite predictions: `3 of 2,000 predictions`.
  private static func share(_ regression: VerifyReport.Regression) -> String {
    "\(grouped(regression.nonFinite)) of \(grouped(regression.count)) predictions"
  }

  /// The confidence interval as far as it is known: ` (95 % interval 0.1 to 0.2)`.
  private static func certainty(_ regression: VerifyReport.Regression) -> String {
    var parts: [String] = []
    if let interval = regression.interval {
      parts.append("95 % interval \(significant(interval[0])) to \(significant(interval[1]))")
    }
    if let error = regression.standardError {
      parts.append("standard error \(significant(error))")
    }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }

  private static func printWorst(_ regression: VerifyReport.Regression) {
    guard !regression.worst.isEmpty else { return }
    let hasPlaces = regression.outputShape.contains { $0 != 1 }
    var table = TextTable(
      [("farthest", .right)] + (hasPlaces ? [("at", .right)] : [])
        + [("target", .right), ("output", .right), ("error", .right)])
    for miss in regression.worst.prefix(missLimit) {
      table.append(
        ["\(miss.sample)"]
          + (hasPlaces ? [shapeText(regression.outputShape.place(at: miss.place))] : [])
          + [significant(miss.target), significant(miss.output), significant(miss.error)])
    }
    Output.print(table, indent: 2)
  }
}
