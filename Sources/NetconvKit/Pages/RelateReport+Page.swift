import Documents
import ModelIR
import Pages

extension RelateReport {
  /// Writes the report as a page.
  ///
  /// - Parameters:
  ///   - file: where.
  ///   - words: how remedies are worded.
  /// - Throws: `cannotCreate` or `inputOutput`.
  public func writePage(
    to file: PageFile, words: @escaping Message.Words = \.description
  ) throws(NetconvError) {
    try file.write(
      Page(
        .relate, of: "\(a.path) and \(b.path)", lead: lead, report: json(words: words),
        data: Array("{}".utf8), version: Netconv.version))
  }

  private var lead: Page.Lead {
    let count = { (status: Status) in tensors.count { $0.status == status } }
    let summary =
      "Of the \(grouped(tensors.count)) tensors of B, \(grouped(count(.related))) came from A as listed, of "
      + "\(grouped(count(.undetermined))) the values do not tell which they are, and \(grouped(count(.unrelated))) have no "
      + "relative in A. \(grouped(unused.count)) of A are in none of B."
    if let consumer, consumer.mistakeCount > 0 {
      let advice = tensors.first { $0.mistake != nil }.flatMap { entry in
        entry.mistake.map { "The first is \(quoted(entry.tensor.name)): it should lie as \($0.layout), \(shapeText($0.shape))." }
      }
      return Page.Lead(
        .bad,
        "\(grouped(consumer.mistakeCount)) \(consumer.mistakeCount == 1 ? "tensor does" : "tensors do") not lie as "
          + "\(consumer.name) takes \(consumer.mistakeCount == 1 ? "it" : "them").",
        remedies: [advice].compactMap(\.self) + [summary])
    }
    return complete
      ? Page.Lead(.good, "Every tensor of B came from A, and every one of A is in B.", remedies: [summary])
      : Page.Lead(.bad, "Not every tensor has a relative.", remedies: [summary])
  }
}
