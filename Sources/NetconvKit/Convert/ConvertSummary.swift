import ModelIR

/// A source that could not be converted.
public struct ConvertFailure: Sendable, Encodable {
  /// The source, as given by the caller.
  public let source: String
  /// The error that stopped the conversion.
  public let error: NetconvError

  /// Creates a failure of `source`.
  public init(source: String, error: NetconvError) {
    self.source = source
    self.error = error
  }

  private enum CodingKeys: String, CodingKey {
    case source
    case kind
    case message
  }

  /// Encodes the source, and the kind and message of the error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(source, forKey: .source)
    try container.encode(error.kind.rawValue, forKey: .kind)
    try container.encode(error.lines.joined(separator: "\n"), forKey: .message)
  }
}

/// The results of one or several conversions.
public struct ConvertSummary: Report {
  /// The name of the report's schema.
  public static let schema = "convert"

  /// The conversions that succeeded.
  public let conversions: [ConvertReport]
  /// The conversions that failed.
  public let failures: [ConvertFailure]

  /// Creates a summary of several conversions.
  public init(conversions: [ConvertReport], failures: [ConvertFailure]) {
    self.conversions = conversions
    self.failures = failures
  }
}
