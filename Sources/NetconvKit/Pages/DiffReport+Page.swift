import Documents
import ModelIR
import Pages

extension DiffReport {
  /// Writes the report as a page.
  ///
  /// - Parameters:
  ///   - file: the destination.
  ///   - words: the wording of remedies.
  /// - Throws: `cannotCreate` or `inputOutput`.
  /// - Precondition: the networks were compared for a page.
  public func writePage(
    to file: PageFile, words: @escaping Message.Words = \.description
  ) throws(NetconvError) {
    guard let details else { preconditionFailure("compared without what a page needs") }
    try file.write(
      Page(
        .diff, of: "\(a.path) and \(b.path)", lead: lead(words), report: json(words: words),
        data: JSONDocument.encodeCompact(details), version: Netconv.version))
  }

  private func lead(_ words: Message.Words) -> Page.Lead {
    let rounded = tensors.count { $0.status == .rounded }
    let summary =
      "\(grouped(tensors.count)) \(tensors.count == 1 ? "tensor was" : "tensors were") compared, "
      + "\(grouped(rounded)) of them equal only up to rounding."
    let remedies =
      [leftOutSentence(a.leftOut, b.leftOut)].compactMap(\.self)
      + notes.map { $0.worded(by: words) }
    guard !equal else {
      return Page.Lead(.good, "A and B are equal.", remedies: [summary] + remedies)
    }
    let different = tensors.count {
      $0.status == .changed || $0.status == .shape || exact && $0.status == .rounded
    }
    let parts = [
      different == 0
        ? nil : "\(grouped(different)) \(different == 1 ? "tensor differs" : "tensors differ")",
      onlyInA.isEmpty ? nil : "\(grouped(onlyInA.count)) only in A",
      onlyInB.isEmpty ? nil : "\(grouped(onlyInB.count)) only in B",
      graph.isEmpty
        ? nil
        : "the graphs differ in \(grouped(graph.count)) \(graph.count == 1 ? "place" : "places")",
    ]
    return Page.Lead(
      .bad, "A and B are not equal: \(parts.compactMap(\.self).joined(separator: ", ")).",
      remedies: [summary] + remedies)
  }
}

/// Returns a sentence about arrays of A and B that are left out because they are not weights; `nil` if there are
/// none.
func leftOutSentence(_ a: Int, _ b: Int) -> String? {
  let parts = [(a, "A"), (b, "B")].filter { $0.0 > 0 }.map { "\(grouped($0.0)) of \($0.1)" }
  return parts.isEmpty ? nil : "Left out (not weights): \(parts.joined(separator: ", "))."
}
