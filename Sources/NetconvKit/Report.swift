import Documents
import ModelIR

/// What a function of ``Netconv`` found out.
public protocol Report: Sendable, Encodable {
  /// The name of its schema in `Schemas/`: `verify`.
  static var schema: String { get }
}

extension Report {
  /// The report as a JSON document, valid against its schema in `Schemas/`.
  ///
  /// A number that is not finite is `null`.
  /// - Parameter words: how remedies are worded.
  /// - Throws: `internal` if something cannot be written as JSON.
  public func json(
    words: @escaping Message.Words = \.description
  ) throws(NetconvError) -> [UInt8] {
    try JSONDocument.encodeReport(SignedReport(report: self), words: words)
  }
}

/// A report that says which schema it has, and which netconv wrote it.
private struct SignedReport<Body: Report>: Encodable {
  let report: Body

  private enum CodingKeys: String, CodingKey {
    case schema
    case netconv
  }

  func encode(to encoder: any Encoder) throws {
    try report.encode(to: encoder)
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode("urn:netconv:schema:\(Body.schema):v1", forKey: .schema)
    try document.encode(Netconv.version, forKey: .netconv)
  }
}
