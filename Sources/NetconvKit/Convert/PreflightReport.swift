import Files
import ModelIR
import Readers
import Writers

/// What the types of a conversion do to the values.
public struct PreflightReport: Report {
  /// The name of its schema.
  public static let schema = "preflight"

  /// The source, as it was named.
  public let source: String
  /// The output that would be written, as it was named.
  public let destination: String
  /// What wrote the source, if it says so.
  public let framework: String?
  /// The consumer.
  public let target: String
  /// The element type of kernels that no rule names.
  public let dtype: String
  /// Bytes of all tensors, once.
  public let bytes: Int
  /// The tensors, in the order of the model; the scales of integers are none of the source's, and not among them.
  public let tensors: [Row]
  /// Everything that was warned of.
  public let warnings: [Message]
  /// The error that the conversion fails with, if finite values would become infinite and are not allowed to.
  public let overflow: NetconvError?

  /// A tensor that would be written.
  public struct Row: Sendable, Encodable {
    /// The file's name without its ending.
    public let name: String
    /// The layer that it belongs to.
    public let layer: String
    /// What it is to the layer.
    public let role: String
    /// How values are stored in the source.
    public let sourceDtype: String
    /// How values would be written.
    public let dtype: String
    /// The number of values.
    public let count: Int
    /// How many values are infinite or not a number in the source.
    public let nonFinite: Int
    /// The smallest finite value; `nil` if there is none.
    public let min: Float?
    /// The largest finite value; `nil` if there is none.
    public let max: Float?
    /// How many finite values would become infinite.
    public let overflowed: Int
    /// The first of these, as an index in the source's order.
    public let firstOverflowed: Int?
    /// The largest magnitude of these.
    public let largestOverflowed: Double?
    /// How many values would become subnormal, though they are not.
    public let subnormal: Int
    /// How many values would become zero, though they are not.
    public let zeroed: Int
    /// The largest relative error of a value.
    public let worstRelativeError: Float
    /// The root of all squared errors over all squared values.
    public let rmsRelativeError: Float
  }

  private enum CodingKeys: String, CodingKey {
    case source
    case destination
    case framework
    case target
    case dtype
    case bytes
    case tensors
    case warnings
  }

  init(
    _ request: ConvertRequest, _ source: ReadSource, _ plan: OutputPlan,
    _ roundings: [Rounding], overflow: NetconvError?,
    warnings: [Message]
  ) {
    self.source = request.source
    destination = Directory.withoutTrailingSlashes(request.destination)
    framework = source.framework
    target = request.targetName
    dtype = request.elementType.rawValue
    bytes = plan.entries.reduce(0) { $0 + $1.byteCount }
    tensors = zip(plan.entriesOfParameters, roundings).map { Row($0, $1) }
    self.warnings = warnings
    self.overflow = overflow
  }
}

extension PreflightReport.Row {
  fileprivate init(_ entry: OutputPlan.Entry, _ rounding: Rounding) {
    name = entry.name
    layer = entry.tensor.layer
    role = entry.tensor.spec.role.rawValue
    sourceDtype = entry.tensor.stored.typeName
    dtype = entry.elementType.rawValue
    count = rounding.count
    nonFinite = rounding.nonFinite
    min = rounding.range?.lowerBound
    max = rounding.range?.upperBound
    overflowed = rounding.overflow.count
    firstOverflowed = rounding.overflow.first
    largestOverflowed = rounding.overflow.first.map { _ in rounding.overflow.largest }
    subnormal = rounding.subnormal
    zeroed = rounding.zeroed
    worstRelativeError = rounding.worstRelativeError
    rmsRelativeError = rounding.rmsRelativeError
  }
}

/// What came of looking at one conversion or several.
public struct PreflightSummary: Report {
  /// The name of its schema.
  public static let schema = "preflight"

  /// What could be converted.
  public let preflights: [PreflightReport]
  /// What could not be.
  public let failures: [ConvertFailure]

  /// What came of looking at several conversions.
  public init(preflights: [PreflightReport], failures: [ConvertFailure]) {
    self.preflights = preflights
    self.failures = failures
  }
}
