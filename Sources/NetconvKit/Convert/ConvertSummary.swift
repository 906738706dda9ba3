import ModelIR

/// A source that could not be converted.
public struct ConvertFailure: Sendable, Encodable {
  /// The source, as it was named.
  public let source: String
  /// What went wrong.
  public let error: NetconvError

  /// A failure of `source`.
  public init(source: String, error: NetconvError) {
    self.source = source
    self.error = error
  }

  private enum CodingKeys: String, CodingKey {
    case source
    case kind
    case message
  }

  /// Writes source, kind and message.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(source, forKey: .source)
    try container.encode(error.kind.rawValue, forKey: .kind)
    try container.encode(error.lines.joined(separator: "\n"), forKey: .message)
  }
}

/// What came of one conversion or several.
public struct ConvertSummary: Report {
  /// The name of its schema.
  public static let schema = "convert"

  /// What was converted.
  public let conversions: [ConvertReport]
  /// What could not be.
  public let failures: [ConvertFailure]

  /// What came of several conversions.
  public init(conversions: [ConvertReport], failures: [ConvertFailure]) {
    self.conversions = conversions
    self.failures = failures
  }
}
