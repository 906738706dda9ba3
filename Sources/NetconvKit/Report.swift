import Documents
import ModelIR

/// What a function of ``Netconv`` found out.
public protocol Report: Sendable, Encodable {}

extension Report {
  /// The report as a JSON document, valid against its schema in `Schemas/`.
  ///
  /// A number that is not finite is `null`.
  /// - Parameter words: how remedies are worded.
  /// - Throws: `internal` if something cannot be written as JSON.
  public func json(
    words: @escaping Message.Words = \.description
  ) throws(NetconvError) -> [UInt8] {
    try JSONDocument.encodeReport(self, words: words)
  }
}
