import Diagnosis
import Execution
import ModelIR

/// How close the layers of a model are to what they should be.
public struct ComparisonReport: Sendable, Codable {
  /// What they were compared with, as it was named.
  public let reference: String
  /// Whether that is a model or saved activations.
  public let kind: Kind
  /// What both were run on.
  public let inputs: String
  /// Where the values of the layers were rounded; those that they were compared with were not.
  public let precision: String
  /// Samples that were run.
  public let samples: Int
  /// In the order of the model, inputs that it prepares by itself first; each fed with what its inputs should be.
  public let layers: [LayerRow]
  /// The model's outputs, run from the inputs on; nothing is asked of them.
  public let outputs: [OutputRow]
  /// The first layer beyond its tolerance.
  public let firstFailure: String?
  /// Layers that there was nothing to compare with, or that read one of another shape than it should have.
  public let unmatched: [String]
  /// Whether every layer is within its tolerance.
  public let passed: Bool

  /// What a model is compared with.
  public enum Kind: String, Sendable, Codable {
    /// Another model.
    case model
    /// Activations that some framework saved.
    case activations
  }

  /// A layer.
  public struct LayerRow: Sendable, Codable {
    /// The layer.
    public let name: String
    /// What computes it.
    public let `operator`: String
    /// The layer that it was compared with, if that has another name.
    public let counterpart: String?
    /// Which order of axes its saved activation has, `channelsFirst` or `channelsLast`; `nil` where there is one alone.
    public let axes: String?
    /// The shapes that it has and should have, without the batch axis, if they differ; no values are compared then.
    public let shapes: Shapes?
    /// How far it is from what it should be.
    public let difference: Distances
    /// How far it may be.
    public let tolerance: Double
    /// Products that are summed for one of its values.
    public let fanIn: Int
    /// Whether it is within its tolerance.
    public let passed: Bool
    /// How many layers in front of it there was nothing to compare with, so that it was fed with what they give; `nil` for
    /// none.
    public let uncompared: Int?
    /// How many of its values were not compared, since rounding may decide them, as of two that are nearly equal; `nil` for
    /// none.
    public let ties: Int?
    /// What is wrong with it, if a known mistake explains it.
    public let diagnosis: DiagnosisRow?

    init(_ row: ModelComparison.Row, _ axes: PixelStep.AxisOrder?) {
      name = row.name
      self.operator = row.operation
      counterpart = row.counterpart
      self.axes = axes?.rawValue
      shapes = row.shapes.map {
        Shapes(found: Array($0.found.dropFirst()), expected: Array($0.expected.dropFirst()))
      }
      difference = Distances(row.difference, isKnown: shapes == nil && !row.isUndecided)
      tolerance = row.tolerance
      fanIn = row.fanIn
      passed = row.passed
      uncompared = row.computedCount == 0 ? nil : row.computedCount
      ties = row.tieCount == 0 ? nil : row.tieCount
      diagnosis = row.explanation.map { DiagnosisRow($0) }
    }
  }

  /// Two shapes without the batch axis.
  public struct Shapes: Sendable, Codable {
    /// The one that the layer has.
    public let found: [Int]
    /// The one that it should have.
    public let expected: [Int]
  }

  /// What is wrong with a layer.
  public struct DiagnosisRow: Sendable, Codable {
    /// The kind of mistake.
    public let kind: Repair.Kind
    /// What is wrong.
    public let finding: String
    /// What to change.
    public let advice: String
    /// The layers to change, where that is not the one that is wrong; `nil` for that one.
    public let layers: [String]?

    init(_ explanation: Explanation) {
      kind = explanation.repair.kind
      finding = explanation.repair.finding
      advice = explanation.repair.advice
      layers = explanation.layers.isEmpty ? nil : explanation.layers
    }
  }

  /// An output of the model.
  public struct OutputRow: Sendable, Codable {
    /// The layer.
    public let name: String
    /// How far it is from what it should be.
    public let difference: Distances
  }

  init(
    _ comparison: ModelComparison, with reference: VerifyRequest.Reference, inputs: String,
    samples: Int, in precision: Precision = .float32, orders: [String: PixelStep.AxisOrder] = [:]
  ) {
    self.precision = precision.rawValue
    self.reference = reference.path
    switch reference {
    case .model: kind = .model
    case .activations: kind = .activations
    }
    self.inputs = inputs
    self.samples = samples
    layers = comparison.rows.map { LayerRow($0, orders[$0.counterpart ?? $0.name]) }
    outputs = comparison.outputs.map {
      OutputRow(name: $0.name, difference: Distances($0.difference))
    }
    firstFailure = comparison.firstFailure?.name
    unmatched = comparison.unmatched
    passed = comparison.firstFailure == nil
  }
}
