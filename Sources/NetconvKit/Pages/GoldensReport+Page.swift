import Documents
import ModelIR
import Pages

/// The contents of a page about goldens, in addition to the report.
struct GoldensDetails: Sendable, Encodable {
  /// The graph of the model.
  let graph: PageGraph
}

extension GoldensReport {
  /// Writes the report as a page.
  ///
  /// - Parameters:
  ///   - file: the destination.
  ///   - words: the wording of remedies.
  /// - Throws: `cannotCreate` or `inputOutput`.
  /// - Precondition: the goldens were replayed for a page.
  public func writePage(
    to file: PageFile, words: @escaping Message.Words = \.description
  ) throws(NetconvError) {
    guard let details else { preconditionFailure("replayed without what a page needs") }
    try file.write(
      Page(
        .goldens, of: path, lead: lead, report: json(words: words),
        data: JSONDocument.encodeCompact(details), version: Netconv.version))
  }

  private var lead: Page.Lead {
    let unknown = layers.count(where: \.isUnknown)
    let free = layers.count { $0.tolerance == nil && !$0.isUnknown }
    let beyond = layers.count { !$0.passed && !$0.isUnknown }
    let more = [
      beyond > 1 ? "\(grouped(beyond)) of \(grouped(layers.count)) layers are beyond." : nil,
      unknown > 0
        ? "Not compared: \(grouped(unknown)) of \(grouped(layers.count)) layers, since no value is finite."
        : nil,
      free > 0
        ? "Not judged: \(grouped(free)) of \(grouped(layers.count)) layers, whose values \(precision) cannot hold."
        : nil,
    ].compactMap(\.self)
    if let first = layers.first(where: { !$0.passed && !$0.isUnknown }) {
      return Page.Lead(
        .bad, "\(quoted(first.name)) is the first layer that is beyond its tolerance.",
        remedies: more)
    }
    if let first = layers.first(where: { !$0.passed }) {
      return Page.Lead(
        .bad,
        "\(quoted(first.name)) is the first layer that cannot be compared: neither side has a finite value.",
        remedies: more)
    }
    let judged = layers.count - unknown - free
    return Page.Lead(
      unknown + free == 0 ? .good : .none,
      "\(grouped(judged)) of \(grouped(layers.count)) layers were compared, and are within their tolerances.",
      remedies: more)
  }
}
