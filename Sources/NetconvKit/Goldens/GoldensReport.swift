import Documents
import ModelIR

/// How far a converted model is from its goldens, layer by layer.
public struct GoldensReport: Report {
  /// The name of its schema.
  public static let schema = "verify-goldens"

  /// What was verified, as it was named.
  public let path: String
  /// The engine that ran it.
  public let engine: String
  /// The precision it was run in.
  public let precision: String
  /// How many samples were replayed.
  public let samples: Int
  /// Where the inputs came from: `random`, `mnist` or `file`.
  public let origin: String
  /// Tensors whose SHA-256 was compared with the manifest; each counts once.
  public let checkedTensors: Int
  /// The containers in which they were compared: `bin`, `archive`.
  public let checkedContainers: [String]
  /// Whether every layer is within its tolerance.
  public let passed: Bool
  /// What is not as it should be, in words; empty if ``passed``.
  public let failures: [String]
  /// The first layer that is not; `nil` if all are.
  public let firstBeyond: String?
  /// The layers, each after those it reads.
  public let layers: [Row]
  /// What a page shows besides; `nil` if none was asked for.
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

  /// A layer.
  public struct Row: Sendable {
    /// Its name.
    public let name: String
    /// Its operator.
    public let `operator`: String
    /// The values of a sample that were compared; the others by their minimum, maximum, mean and norm.
    public let compared: Int
    /// The values of a sample.
    public let count: Int
    /// The largest distance from a golden value; `nil` if one of the two is not finite and they differ, or if no
    /// golden value that was compared is finite.
    public let difference: Double?
    /// The golden values that were compared, of all samples, and are not finite here either.
    public let nonFinite: Int
    /// Whether all that was compared is so, and nothing is known.
    public let isUnknown: Bool
    /// The largest distance that is no mistake; absent if the precision cannot hold the values.
    public let tolerance: Double?
    /// Whether it is within its tolerance; true if it has none.
    ///
    /// A layer of which no value is finite is not, unless that was said to be enough.
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
  /// The comparison of what a layer gave with its golden values.
  ///
  /// - Parameters:
  ///   - found: all values of all samples.
  ///   - expected: what is stored of them.
  ///   - allowsNotFinite: whether it is enough that no value is finite, here as there.
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
    // What is not alike is known to be wrong.
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

  /// Values that are each no farther than t from golden ones have figures that are no farther: the norm, by √count.
  private static func larger(
    _ largest: Double?, _ found: GoldensDocument.Statistics,
    _ expected: GoldensDocument.Statistics, count: Int
  ) -> Double? {
    if expected.min == nil, expected.notFinite == nil {
      // Goldens that an earlier version wrote have no figures where one value is not finite.
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

  /// Writes a difference also if it is not known.
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
