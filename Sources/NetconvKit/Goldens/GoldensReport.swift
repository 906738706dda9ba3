import Documents
import ModelIR

/// How far a converted model is from its goldens, layer by layer.
public struct GoldensReport: Report {
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
  /// The first layer that is not; `nil` if all are.
  public let firstBeyond: String?
  /// The layers, each after those it reads.
  public let layers: [Row]

  /// A layer.
  public struct Row: Sendable, Encodable {
    /// Its name.
    public let name: String
    /// Its operator.
    public let `operator`: String
    /// The values of a sample that were compared; the others by their minimum, maximum, mean and norm.
    public let compared: Int
    /// The values of a sample.
    public let count: Int
    /// The largest distance from a golden value; `null` if one of the two is not finite and they differ.
    public let difference: Double?
    /// The largest distance that is no mistake; absent if the precision cannot hold the values.
    public let tolerance: Double?
    /// Whether it is within its tolerance; true if it has none.
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
    firstBeyond = layers.first { !$0.passed }?.name
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
  init(
    _ layer: GoldensDocument.Layer, _ precision: Precision, _ found: NDArray<Float>,
    expected: [Float]
  ) {
    name = layer.name
    `operator` = layer.operator
    count = layer.shape.reduce(1, *)
    compared = layer.positions?.count ?? count
    tolerance = precision == .float32 ? layer.float32 : layer.float16
    var largest: Double? = 0
    let samples = compared > 0 ? expected.count / compared : 0
    for sample in 0..<samples {
      let values = found.values[sample * count..<(sample + 1) * count]
      for index in 0..<compared {
        let place = values.startIndex + (layer.positions?[index] ?? index)
        largest = Self.larger(largest, values[place], expected[sample * compared + index])
      }
      if let statistics = layer.statistics {
        largest = Self.larger(
          largest, GoldensDocument.Statistics(Array(values)), statistics[sample], count: count)
      }
    }
    difference = largest
    passed = tolerance.map { tolerance in largest.map { $0 <= tolerance } ?? false } ?? true
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
