import ModelIR
import NetconvKit

/// Prints the results of a verification.
enum VerifyRendering {
  /// Prints a report, and exits according to its verdict.
  ///
  /// - Parameter page: The written page, if any.
  /// - Throws: An exit status for a negative verdict.
  static func conclude(
    _ report: VerifyReport, _ output: OutputOptions, withConfusion: Bool, page: PageFile? = nil
  ) throws {
    if output.json {
      try Output.print(json: report)
    } else if !output.quiet {
      print(report, withConfusion: withConfusion)
      if let page { Output.written(page) }
    }
    guard report.passed else {
      if !output.json { try Output.conclude(failures(of: report)) }
      throw ExitStatus.verdictIsNo
    }
  }

  private static func print(_ report: VerifyReport, withConfusion: Bool) {
    HashRendering.print(report.checkedTensors, in: report.checkedContainers)
    if let output = report.output {
      let others = report.notJudged.quotedList
      Output.print("output     \(quoted(output)); not judged: \(others)")
    }
    if let classification = report.classification {
      print(classification, of: report, withConfusion: withConfusion)
    }
    if let regression = report.regression {
      RegressionRendering.print(regression, of: report)
    }
    if let preparation = report.preparation {
      PreparationRendering.print(preparation)
    } else if let order = report.classification?.classOrder {
      print(order, report.classification?.classes ?? [])
    } else if let classification = report.classification, classification.isNearChance {
      Output.print(
        "hint       that is about chance level; "
          + (classification.pixels.noun == "images"
            ? "--find-preparation tries other preparations of the pixels"
            : "are the labels in the order of the samples?"))
    }
    if let sweep = report.sweep { SweepRendering.print(sweep) }
    if let agreement = report.agreement {
      print(agreement, report.classification?.pixels.noun == "images" ? "image" : "sample")
    }
    if let comparison = report.comparison { ComparisonRendering.print(comparison) }
    for row in report.testVectors {
      TestVectorRendering.print(row, isAlone: report.comparison == nil)
    }
  }

  /// The unmet requirements, one per line.
  static func failures(of report: VerifyReport) -> [String] {
    var lines: [String] = []
    if let classification = report.classification, !classification.isFinite {
      lines.append(notFinite(share(classification)))
    }
    if let classification = report.classification, !classification.isAccurate {
      lines.append(
        "netconv: the accuracy \(fixed(classification.accuracy, 4)) is below the "
          + "\(classification.minimumAccuracy.map { "\($0)" } ?? "") asked for")
    }
    if let regression = report.regression {
      lines += RegressionRendering.failures(of: regression)
    }
    if let agreement = report.agreement, !agreement.passed {
      lines.append(
        "netconv: the agreement \(fixed(agreement.fraction, 4)) is below the "
          + "\(agreement.minimumAgreement.map { "\($0)" } ?? "") asked for")
    }
    if let comparison = report.comparison { lines += ComparisonRendering.failures(of: comparison) }
    for row in report.testVectors {
      lines += TestVectorRendering.failures(of: row, beside: report.comparison)
    }
    return lines
  }

  /// The advice for non-finite predictions.
  static func notFinite(_ share: String) -> String {
    "netconv: \(share) are not finite; find the first such layer with netconv run --layer, or pass "
      + "--allow-not-finite"
  }

  /// The line `pixels     as they are (…)`, or its equivalent for samples that are not images.
  static func prepared(_ preparation: PixelPreparation, of input: String = "") -> String {
    (preparation.noun == "images" ? "pixels     " : "values     ") + input
      + preparation.text.options
  }

  /// The order of axes of the samples, if the network accepts two.
  static func order(_ axes: PixelStep.AxisOrder?) -> String {
    switch axes {
    case .channelsFirst?: ", with channels first, as in the source"
    case .channelsLast?: ", with channels last, fed with channels first"
    case nil: ""
    }
  }

  /// The line `speed      5,931 images/s, fast engine`.
  static func speed(_ perSecond: Double, _ noun: String, of report: VerifyReport) -> String {
    let precision = report.precision == Precision.float32.rawValue ? "" : " in \(report.precision)"
    return "speed      \(grouped(Int(perSecond))) \(noun)/s, \(report.engine) engine" + precision
  }

  /// The advice for a low accuracy; `nil` for the source itself.
  static func advice(for report: VerifyReport) -> String? {
    if report.isDescribed, report.convertedFrom == nil {
      return
        "advice     --against, with the model that the values come from, names the first layer that differs"
    }
    return report.convertedFrom.map { source in
      "advice     this names the first layer that differs from its source:\n"
        + "           netconv verify \(shellQuoted(report.path)) --against \(shellQuoted(source))"
    }
  }

  /// The limit on the classes in a hint.
  private static let orderLimit = 10

  /// Prints the hint `the classes are in another order …`.
  private static func print(_ order: ClassOrder, _ names: [String]) {
    let moved = order.outputs.indices.filter { order.outputs[$0] != $0 }
    let words = moved.prefix(orderLimit).map {
      "\(name(of: $0, names)) is output \(order.outputs[$0])"
    }
    Output.print(
      "hint       the classes are in another order than the outputs, in which the accuracy is \(fixed(order.accuracy, 4)): "
        + words.joined(separator: ", ")
        + (moved.count > orderLimit ? " and \(moved.count - orderLimit) more; --json has all" : ""))
  }

  /// The class with its name, if known: `3`, `3 dog`.
  private static func name(of label: Int, _ names: [String]) -> String {
    names.indices.contains(label) ? "\(label) \(escaped(names[label]))" : "\(label)"
  }

  /// The share of non-finite predictions: `3 of 2,000 predictions`.
  private static func share(_ report: VerifyReport.Classification) -> String {
    "\(grouped(report.nonFinite)) of \(grouped(report.count)) predictions"
  }

  /// Prints the preprocessing: one line for all images, or one for each kind of picture.
  private static func printPixels(_ report: VerifyReport.Classification) {
    guard let groups = report.pictures else {
      Output.print(prepared(report.pixels))
      return
    }
    PicturesRendering.print(
      groups.map { ($0.text, $0.count, $0.first) }, "of them", report.pixels.explanation)
  }

  private static func print(
    _ report: VerifyReport.Classification, of whole: VerifyReport, withConfusion: Bool
  ) {
    let noun = report.pixels.noun
    Output.print(
      "data       \(report.dataset), \(grouped(report.samples)) \(noun)"
        + (report.count == report.samples
          ? "" : " with \(grouped(report.count / report.samples)) classes each")
        + (report.isRowByRow ? ", each fed row by row as a vector" : "") + order(report.axes))
    printPixels(report)
    if let threshold = report.threshold { Output.print("threshold  \(threshold.words.options)") }
    Output.print(
      "accuracy   ", emphasizing: fixed(report.accuracy, 4),
      " (\(grouped(report.correct)) right, "
        + "95 % interval \(fixed(report.interval[0], 4)) to \(fixed(report.interval[1], 4)))")
    if report.nonFinite > 0 {
      Output.print(
        "not finite \(share(report)): an output is NaN, or the largest is infinite; "
          + "none is right")
    }
    if let recall = report.recall { print(recall: recall, report.classes) }
    Output.print(speed(report.imagesPerSecond, noun, of: whole))
    if report.isLow, report.classOrder == nil, whole.comparison == nil,
      let advice = advice(for: whole)
    {
      Output.print(advice)
    }
    guard withConfusion else { return }
    if let confusion = report.confusion {
      printConfusion(confusion, report)
    } else {
      Output.print(
        "confusion  not shown for more than \(grouped(VerifyReport.confusionLimit)) classes")
    }
  }

  /// Prints the recall: of all classes, or only the worst if there are many.
  private static func print(recall: [Double?], _ names: [String]) {
    let known = recall.enumerated().compactMap { label, value in value.map { (label, $0) } }
    guard let worst = known.min(by: { $0.1 < $1.1 }) else { return }
    let mean = known.reduce(0) { $0 + $1.1 } / Double(known.count)
    Output.print(
      "recall     \(fixed(mean, 4)) on average, least \(fixed(worst.1, 4)) for class \(name(of: worst.0, names))"
    )
    guard known.count <= 10 else { return }
    Output.print(
      "           "
        + known.map { "\(name(of: $0, names)): \(fixed($1, 4))" }.joined(separator: "  "))
  }

  private static func printConfusion(
    _ confusion: [[Int]], _ report: VerifyReport.Classification
  ) {
    Output.print("")
    Output.print(
      "rows: the true class; columns: the predicted class"
        + (report.nonFinite == 0
          ? "" : "; \(grouped(report.nonFinite)) that are not finite are left out"))
    var table = TextTable(
      [("", report.classes.isEmpty ? .right : .name)] + confusion.indices.map { ("\($0)", .right) }
        + [("recall", .right)])
    for (label, row) in confusion.enumerated() {
      let recall = report.recall?[label].map { fixed($0, 4) }
      table.append(
        [name(of: label, report.classes)] + row.map { $0 == 0 ? "." : "\($0)" } + [recall ?? "-"])
    }
    Output.print(table, indent: 2)
  }

  /// The number of flips shown; `--json` lists more.
  private static let flipLimit = 10

  private static func print(_ agreement: Agreement, _ sample: String) {
    let flips = agreement.flipCount - agreement.nonFinite
    Output.print(
      "agreement  \(fixed(agreement.fraction, 4)) of the predictions are the same; "
        + (flips == 0 ? "none flipped" : "\(grouped(flips)) flipped")
        + (agreement.nonFinite == 0
          ? "" : "; \(grouped(agreement.nonFinite)) not finite in one model or both")
        + (agreement.smallestMargin.map {
          ", the closest other by a margin of \(significant($0))"
        } ?? ""))
    guard !agreement.flips.isEmpty else { return }
    var table = TextTable([
      (sample, .right), ("label", .right), ("was", .right), ("margin", .right), ("is", .right),
      ("margin", .right),
    ])
    for flip in agreement.flips.prefix(flipLimit) {
      table.append([
        "\(flip.index)", "\(flip.label)", text(flip.expected), significant(flip.expectedMargin),
        text(flip.found), significant(flip.foundMargin),
      ])
    }
    Output.print(table, indent: 2)
    if agreement.flipCount > flipLimit {
      Output.print("  and \(grouped(agreement.flipCount - flipLimit)) more; --json lists them")
    }
  }

  /// The text of a class, if there is one.
  private static func text(_ label: Int?) -> String { label.map { "\($0)" } ?? "not finite" }
}
