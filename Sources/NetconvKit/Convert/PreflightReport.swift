import Files
import ModelIR
import Readers
import Writers

/// The effect of a conversion's types on the values.
public struct PreflightReport: Report {
  /// The name of the report's schema.
  public static let schema = "preflight"

  /// The source, as given by the caller.
  public let source: String
  /// The destination that would be written, as given by the caller.
  public let destination: String
  /// The program that wrote the source, if it is recorded.
  public let framework: String?
  /// The consumer.
  public let target: String
  /// The element type of kernels without a rule.
  public let dtype: String
  /// The size of all tensors in bytes, counted once.
  public let bytes: Int
  /// The tensors, in the order of the model, without the scales of integers, which are not in the source.
  public let tensors: [Row]
  /// The effect of rules; `nil` without rules.
  public let rules: RulesReport?
  /// All warnings.
  public let warnings: [Message]
  /// The error of the conversion, if finite values would become infinite and the request does not allow it.
  public let overflow: NetconvError?

  /// A tensor that would be written.
  public struct Row: Sendable, Encodable {
    /// The name of the file without its extension.
    public let name: String
    /// The layer that it belongs to.
    public let layer: String
    /// The role of the tensor in the layer.
    public let role: String
    /// The dtype in the source.
    public let sourceDtype: String
    /// The dtype that would be written, or the quantised form.
    public let dtype: String
    /// The number of values.
    public let count: Int
    /// The number of values that are infinite or NaN in the source.
    public let nonFinite: Int
    /// The smallest finite value; `nil` if there is none.
    public let min: Float?
    /// The largest finite value; `nil` if there is none.
    public let max: Float?
    /// The number of finite values that would become infinite.
    public let overflowed: Int
    /// The index of the first of these, in the source's order.
    public let firstOverflowed: Int?
    /// The largest magnitude of these.
    public let largestOverflowed: Double?
    /// The number of values that would become subnormal.
    public let subnormal: Int
    /// The number of values other than zero that would become zero.
    public let zeroed: Int
    /// The largest relative error of a value.
    public let worstRelativeError: Float
    /// The relative root-mean-square error.
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
    case rules
    case warnings
  }

  init(
    _ request: ConvertRequest, _ conversion: PreparedConversion, _ plan: OutputPlan,
    _ roundings: [Rounding], overflow: NetconvError?,
    warnings: [Message]
  ) {
    self.source = request.source
    destination = Directory.withoutTrailingSlashes(request.destination)
    framework = conversion.source.framework
    rules = conversion.rules
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
    dtype =
      (entry.tensor.stored.source as? PackedValues)?.packing.name ?? entry.elementType.rawValue
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

/// The results of one or several preflights.
public struct PreflightSummary: Report {
  /// The name of the report's schema.
  public static let schema = "preflight"

  /// The conversions that are possible.
  public let preflights: [PreflightReport]
  /// The conversions that would fail.
  public let failures: [ConvertFailure]

  /// Creates a summary of several preflights.
  public init(preflights: [PreflightReport], failures: [ConvertFailure]) {
    self.preflights = preflights
    self.failures = failures
  }
}
