import Documents
import ModelIR
import Pages

extension VerifyReport {
  /// Writes the report as a page.
  ///
  /// - Parameters:
  ///   - file: the destination.
  ///   - words: the wording of remedies.
  /// - Throws: `cannotCreate` or `inputOutput`.
  /// - Precondition: the model was verified for a page.
  public func writePage(
    to file: PageFile, words: @escaping Message.Words = \.description
  ) throws(NetconvError) {
    guard var details else { preconditionFailure("verified without what a page needs") }
    details.noun = (classification?.pixels ?? regression?.pixels)?.noun ?? details.noun
    try file.write(
      Page(
        .verify, of: path, lead: lead(words), report: json(words: words),
        data: JSONDocument.encodeCompact(details), version: Netconv.version))
  }

  /// Leads with the first failure from the inside out, since a layer explains the results of all that follow it.
  private func lead(_ words: Message.Words) -> Page.Lead {
    let results =
      [measured, agreementSentence, notJudgedSentence, notComparedSentence].compactMap(\.self)
      + testedSentences
    if let comparison, let first = comparison.layers.first(where: { !$0.passed }) {
      return lead(first, of: comparison, results)
    }
    if let problem {
      return Page.Lead(.bad, problem, remedies: results + [hint(words)].compactMap(\.self))
    }
    let layers = comparison.map { comparison in
      "All \(comparison.layers.count) layers are within their tolerance of \(quoted(comparison.reference))."
    }
    let all = [layers].compactMap(\.self) + results
    let isLow = classification?.isLow ?? false
    return Page.Lead(
      isLow ? .none : .good, all.first ?? "Nothing was measured.",
      remedies: Array(all.dropFirst()) + (isLow ? [hint(words)].compactMap(\.self) : []))
  }

  private func lead(
    _ first: ComparisonReport.LayerRow, of comparison: ComparisonReport, _ results: [String]
  ) -> Page.Lead {
    let name = quoted(first.name)
    if let diagnosis = first.diagnosis {
      return Page.Lead(
        .bad, "\(comparison.failure ?? name).",
        remedies: ["What to do: \(diagnosis.advice)."] + results)
    }
    let sentence =
      first.difference.isUnknown
      ? "\(name) is the first layer that cannot be compared: neither side has a finite value."
      : "\(comparison.failure ?? name), and no known mistake explains it."
    return Page.Lead(.bad, sentence, remedies: results)
  }

  /// A description of the first requirement that is not met, apart from layers.
  private var problem: String? {
    if let classification, !classification.isFinite {
      return notFinite(classification.nonFinite, of: classification.count)
    }
    if let classification, !classification.isAccurate, let wanted = classification.minimumAccuracy {
      return "The accuracy \(fixed(classification.accuracy, 4)) is below the \(wanted) asked for."
    }
    if let regression, !regression.isFinite {
      return notFinite(regression.nonFinite, of: regression.count)
    }
    if let regression, !regression.isAccurate,
      let wanted = regression.maximumError ?? regression.minimumR2
    {
      return "The \(regression.metric.rawValue) \(significant(regression.value)) is not within the "
        + "\(wanted) asked for."
    }
    if let agreement, !agreement.passed, let wanted = agreement.minimumAgreement {
      return "The agreement \(fixed(agreement.fraction, 4)) is below the \(wanted) asked for."
    }
    return testVectors.lazy.compactMap(\.failure).first.map { $0 + "." }
  }

  private func notFinite(_ count: Int, of total: Int) -> String {
    "\(grouped(count)) of \(grouped(total)) predictions are infinite or NaN."
  }

  private var measured: String? {
    if let classification {
      let interval = classification.interval.map { fixed($0, 4) }
      return
        "The accuracy is \(fixed(classification.accuracy, 4)): \(grouped(classification.correct)) of "
        + "\(grouped(classification.count)) are right, with a 95 % interval from \(interval[0]) to \(interval[1])."
    }
    return regression.map { regression in
      "The \(regression.metric.rawValue) is \(significant(regression.value)), of \(grouped(regression.count)) samples."
    }
  }

  private var notJudgedSentence: String? {
    guard let output, !notJudged.isEmpty else { return nil }
    let others = notJudged.quotedList
    return "The output \(quoted(output)) was judged, but not \(others)."
  }

  private var notComparedSentence: String? {
    guard let count = comparison?.unmatched.count, count > 0 else { return nil }
    return
      "\(counted(count, "layer was", "layers were")) not compared: the other side has no such layer."
  }

  private var testedSentences: [String] {
    testVectors.filter(\.passed).map {
      "\(quoted($0.output)) is as \(quoted($0.reference)) states for its \(grouped($0.steps)) samples."
    }
  }

  private var agreementSentence: String? {
    agreement.map { agreement in
      agreement.flipCount == 0
        ? "All predictions agree with the other model's."
        : counted(agreement.flipCount, "prediction differs", "predictions differ")
          + " from the other model's."
    }
  }

  /// A hint for further investigation.
  private func hint(_ words: Message.Words) -> String? {
    guard comparison == nil, testVectors.isEmpty else { return nil }
    if let order = classification?.classOrder {
      return
        "The classes are in another order than the outputs: in it, the accuracy is \(fixed(order.accuracy, 4))."
    }
    let hasSource = convertedFrom != nil || isDescribed
    guard classification?.isNearChance ?? false || hasSource else { return nil }
    let message: Message =
      classification?.isNearChance ?? false
      ? "That is about chance level; \(.findsPreparation) tries other preparations of the pixels."
      : "\(.against) \(convertedFrom ?? "the model that the values come from") names the first layer that differs."
    return message.worded(by: words)
  }
}
