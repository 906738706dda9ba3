import Documents
import ModelIR
import Pages

extension RelateReport {
  /// Writes the report as a page.
  ///
  /// - Parameters:
  ///   - file: the destination.
  ///   - words: the wording of remedies.
  /// - Throws: `cannotCreate` or `inputOutput`.
  /// - Precondition: the weights were related for a page.
  public func writePage(
    to file: PageFile, words: @escaping Message.Words = \.description
  ) throws(NetconvError) {
    guard let details else { preconditionFailure("related without what a page needs") }
    try file.write(
      Page(
        .relate, of: "\(a.path) and \(b.path)", lead: lead, report: json(words: words),
        data: JSONDocument.encodeCompact(details), version: Netconv.version))
  }

  /// The reason why the relation is incomplete.
  private var incompleteness: String {
    unused.isEmpty && !tensors.contains { $0.status == .unrelated }
      ? "A few values differ from A's." : "Not every tensor has a relative."
  }

  private var lead: Page.Lead {
    let count = { (status: Status) in tensors.count { $0.status == status } }
    let parts: [(Int, String)] = [
      (count(.related), "came from A as listed"),
      (count(.undetermined), "cannot be told apart by their values"),
      (
        count(.nearly),
        count(.nearly) == 1 ? "has a few different values" : "have a few different values"
      ),
      (
        count(.unrelated), count(.unrelated) == 1 ? "has no relative in A" : "have no relative in A"
      ),
    ]
    let summary =
      "Of the \(counted(tensors.count, "tensor")) of B, "
      + parts.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }.joined(separator: ", ")
      + (unused.isEmpty
        ? "." : ". \(grouped(unused.count)) of A \(unused.count == 1 ? "is" : "are") not in B.")
    let more = [
      exchanged?.sentence, misordered?.first.map { $0.words + "." },
      odd?.first.map { $0.words + "." }, summary,
      leftOutSentence(a.leftOut, b.leftOut),
    ].compactMap(
      \.self)
    if let consumer, consumer.mistakeCount > 0 {
      let advice = tensors.first { $0.mistake != nil }.flatMap { entry in
        entry.mistake.map { mistake in
          "The first is \(quoted(entry.tensor.name)): the layout should be \(mistake.layout), "
            + "\(shapeText(mistake.shape))."
        }
      }
      return Page.Lead(
        .bad,
        consumer.mistakeCount == 1
          ? "1 tensor does not have the layout that \(consumer.name) expects."
          : "\(grouped(consumer.mistakeCount)) tensors do not have the layout that \(consumer.name) expects.",
        remedies: [advice, notJudged].compactMap(\.self) + more)
    }
    if complete, !changed.isEmpty {
      return Page.Lead(
        .bad,
        "Tensors of B have another sign, factor or offset than in A: \(changed.joined(separator: ", ")).",
        remedies: [notJudged].compactMap(\.self) + more)
    }
    guard complete else {
      return Page.Lead(.bad, incompleteness, remedies: [notJudged].compactMap(\.self) + more)
    }
    if let exchanged, exchanged.isMistake {
      return Page.Lead(
        .bad,
        "\(grouped(exchanged.count)) tensors of A have each other's names in B.",
        remedies: [notJudged].compactMap(\.self) + more)
    }
    if let misordered {
      return Page.Lead(
        .bad,
        misordered.count == 1
          ? "1 tensor has its parts in another order than its name says."
          : "\(grouped(misordered.count)) tensors have their parts in another order than their names say.",
        remedies: [notJudged].compactMap(\.self) + more)
    }
    if let odd {
      return Page.Lead(
        .bad,
        odd.count == 1
          ? "1 tensor was made otherwise than its siblings in other layers."
          : "\(grouped(odd.count)) tensors were made otherwise than their siblings in other layers.",
        remedies: [notJudged].compactMap(\.self) + more)
    }
    if !isRightForConsumer, let notJudged { return Page.Lead(.bad, notJudged, remedies: more) }
    return Page.Lead(
      .good, "Every tensor of B came from A, and every tensor of A is in B.",
      remedies: [notJudged].compactMap(\.self) + more)
  }

  /// A sentence about tensors that were not judged for their consumer; `nil` if all were.
  private var notJudged: String? {
    guard let consumer, let first = consumer.notJudged.first else { return nil }
    let count = consumer.notJudged.count
    return
      "\(counted(count, "tensor was", "tensors were")) not judged for \(consumer.name)\(count == 1 ? ":" : ", such as") "
      + "\(quoted(first))."
  }
}
