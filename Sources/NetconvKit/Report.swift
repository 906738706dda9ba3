import Documents
import ModelIR

/// What a function of ``Netconv`` found out; `--json` prints it.
public protocol Report: Sendable, Encodable {}

extension Report {
  /// The report as a JSON document, valid against its schema in `Schemas/`.
  ///
  /// - Throws: `internal` if a number cannot be written.
  public func json() throws(NetconvError) -> [UInt8] {
    try JSONDocument.encode(self)
  }
}
