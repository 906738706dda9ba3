import Documents
import Lowering
import ModelIR

/// The distances of a converted model from its goldens, layer by layer.
public struct GoldensReport: Report {
  /// The name of the report's schema.
  public static let schema = "verify-goldens"

  /// The verified model, as given by the caller.
  public let path: String
  /// The engine that ran the model.
  public let engine: String
  /// The precision of the run.
  public let precision: String
  /// The number of samples that were run.
  public let samples: Int
  /// The origin of the inputs: `random`, `mnist` or `file`.
  public let origin: String
  /// The number of tensors whose SHA-256 was compared with the manifest; each counts once.
  public let checkedTensors: Int
  /// The containers that were checked: `bin`, `archive`.
  public let checkedContainers: [String]
  /// True if every layer is within its tolerance.
  public let passed: Bool
  /// Descriptions of the failures; empty if ``passed``.
  public let failures: [String]
  /// The first layer beyond its tolerance; `nil` if there is none.
  public let firstBeyond: String?
  /// The layers, each after its inputs.
  public let layers: [Row]
  /// Details for a page; `nil` if no page was requested.
  var details: GoldensDetails?

  private enum CodingKeys: String, CodingKey {
    case path
    case engine
    case precision
    case samples
    case origin
    case checkedTensors
    case checkedContainers
    case passed
    case failures
    case firstBeyond
    case layers
  }

  /// The result for a layer.
  public struct Row: Sendable {
    /// The name of the layer.
    public let name: String
    /// The layer's operator.
    public let `operator`: String
    /// The number of values per sample that were compared one by one; the others are compared by their minimum,
    /// maximum, mean and norm.
    public let compared: Int
    /// The number of values per sample.
    public let count: Int
    /// The largest distance from a golden value; `nil` if one of the two is not finite and they differ, or if no
    /// compared golden value is finite.
    public let difference: Double?
    /// The number of compared golden values, over all samples, that are not finite, and match.
    public let nonFinite: Int
    /// True if no compared value is finite, so that nothing is known.
    public let isUnknown: Bool
    /// The largest distance that is accepted; absent if the precision cannot represent the values.
    public let tolerance: Double?
    /// True if the layer is within its tolerance, or has none.
    ///
    /// It is false for a layer without finite values, unless the request allows these.
    public let passed: Bool
  }

  init(
    path: String, engine: EngineKind, precision: Precision, _ document: GoldensDocument,
    checked: CheckedHashes, layers: [Row]
  ) {
    self.path = path
    self.engine = engine.rawValue
    self.precision = precision.rawValue
    samples = document.samples
    origin = document.origin
    checkedTensors = checked.tensors
    checkedContainers = checked.containers
    let first = layers.first { !$0.passed }
    firstBeyond = first?.name
    let failure = first.map { layer in
      layer.isUnknown
        ? "the first layer that cannot be compared is \(quoted(layer.name)): both are not finite"
        : "the first layer beyond its tolerance is \(quoted(layer.name))"
    }
    failures = [failure].compactMap(\.self)
    passed = firstBeyond == nil
    self.layers = layers
  }
}

extension GoldensReport.Row {
  /// Compares the output of a layer with its golden values.
  ///
  /// - Parameters:
  ///   - found: all values of all samples.
  ///   - expected: the stored values.
  ///   - allowsNotFinite: true to accept a layer without finite values, if it matches.
  init(
    _ layer: GoldensDocument.Layer, _ precision: Precision, _ found: NDArray<Float>,
    expected: [Float], allowsNotFinite: Bool
  ) {
    name = layer.name
    `operator` = layer.operator
    count = layer.shape.reduce(1, *)
    compared = layer.positions?.count ?? count
    tolerance = precision == .float32 ? layer.float32 : layer.float16
    var largest: Double? = 0
    var nonFinite = 0
    let samples = compared > 0 ? expected.count / compared : 0
    for sample in 0..<samples {
      let values = found.values[sample * count..<(sample + 1) * count]
      for index in 0..<compared {
        let value = values[values.startIndex + (layer.positions?[index] ?? index)]
        let golden = expected[sample * compared + index]
        largest = Self.larger(largest, value, golden)
        if !value.isFinite, !golden.isFinite { nonFinite += 1 }
      }
      if let statistics = layer.statistics {
        largest = Self.larger(
          largest, GoldensDocument.Statistics(Array(values)), statistics[sample], count: count)
      }
    }
    self.nonFinite = nonFinite
    // Values that do not match are known to be wrong.
    isUnknown = largest != nil && nonFinite > 0 && nonFinite == samples * compared
    difference = isUnknown ? nil : largest
    passed =
      isUnknown
      ? allowsNotFinite
      : tolerance.map { tolerance in largest.map { $0 <= tolerance } ?? false } ?? true
  }

  private static func larger(_ largest: Double?, _ found: Float, _ expected: Float) -> Double? {
    if found == expected || (found.isNaN && expected.isNaN) { return largest }
    guard let largest, found.isFinite, expected.isFinite else { return nil }
    return max(largest, abs(Double(found) - Double(expected)))
  }

  /// If values differ by at most t from golden ones, so do their statistics; the norm by at most √count · t.
  private static func larger(
    _ largest: Double?, _ found: GoldensDocument.Statistics,
    _ expected: GoldensDocument.Statistics, count: Int
  ) -> Double? {
    if expected.min == nil, expected.notFinite == nil {
      // Goldens from an earlier version have no statistics if a value is not finite.
      return found.notFinite == nil ? nil : largest
    }
    guard found.notFinite == expected.notFinite else { return nil }
    var largest = largest
    for (found, expected, scale) in [
      (found.min, expected.min, 1.0), (found.max, expected.max, 1),
      (found.mean, expected.mean, 1), (found.norm, expected.norm, Double(count).squareRoot()),
    ] {
      switch (found, expected) {
      case (let found?, let expected?):
        largest = largest.map { max($0, abs(found - expected) / scale) }
      case (nil, nil): break
      default: largest = nil
      }
    }
    return largest
  }
}

extension GoldensReport.Row: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name
    case `operator`
    case compared
    case count
    case difference
    case nonFinite
    case tolerance
    case passed
  }

  /// Encodes an unknown difference as `null`.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(name, forKey: .name)
    try document.encode(`operator`, forKey: .operator)
    try document.encode(compared, forKey: .compared)
    try document.encode(count, forKey: .count)
    try document.encode(difference, forKey: .difference)
    try document.encode(nonFinite, forKey: .nonFinite)
    try document.encodeIfPresent(tolerance, forKey: .tolerance)
    try document.encode(passed, forKey: .passed)
  }
}
