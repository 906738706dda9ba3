import Documents
import ModelIR
import Pages

extension InspectReport {
  /// Writes the report as a page.
  ///
  /// - Parameters:
  ///   - file: the destination.
  ///   - words: the wording of remedies.
  /// - Throws: `cannotCreate` or `inputOutput`.
  /// - Precondition: the model was inspected for a page.
  public func writePage(
    to file: PageFile, words: @escaping Message.Words = \.description
  ) throws(NetconvError) {
    guard let details else { preconditionFailure("inspected without what a page needs") }
    try file.write(
      Page(
        .inspect, of: path, lead: lead(words), report: json(words: words),
        data: JSONDocument.encodeCompact(details), version: Netconv.version))
  }

  private func lead(_ words: Message.Words) -> Page.Lead {
    let summary =
      "\(name.isEmpty ? "The model" : "Model \(quoted(name))") (\(format), \(byteCount(bytes))) has \(totals)."
    if let problem {
      return Page.Lead(
        .bad, "It cannot be run: \(problem.message.worded(by: words))",
        remedies: problem.details.map { $0.worded(by: words) } + [summary])
    }
    guard let damage else { return Page.Lead(.none, summary, remedies: notes ?? []) }
    return Page.Lead(.bad, damage + ".", remedies: [summary] + (notes ?? []))
  }

  /// A description of the values that are not finite; `nil` if all are.
  var damage: String? {
    let damaged = tensors.filter { $0.statistics.map { $0.nonFinite > 0 } ?? false }
    guard let first = damaged.first, let count = first.statistics?.nonFinite else { return nil }
    let more = damaged.count - 1
    return "\(quoted("\(first.layer) \(first.role)")) has \(grouped(count)) "
      + "\(count == 1 ? "value that is" : "values that are") infinite or NaN"
      + (more == 0
        ? ""
        : more == 1 ? ", and so has 1 more tensor" : ", and so have \(grouped(more)) more tensors")
  }
}
