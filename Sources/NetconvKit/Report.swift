import Documents
import ModelIR

/// The result of a function of ``Netconv``.
public protocol Report: Sendable, Encodable {
  /// The name of the report's schema in `Schemas/`, such as `verify`.
  static var schema: String { get }
}

extension Report {
  /// The report as a JSON document, valid against its schema in `Schemas/`.
  ///
  /// Numbers that are not finite are written as `null`.
  /// - Parameter words: the wording of remedies.
  /// - Throws: `internal` if a value cannot be written as JSON.
  public func json(
    words: @escaping Message.Words = \.description
  ) throws(NetconvError) -> [UInt8] {
    try JSONDocument.encodeReport(SignedReport(report: self), words: words)
  }
}

/// A report with its schema and the version of netconv.
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
