import Diagnosis
import Execution
import Lowering
import ModelIR

/// The distances of a model's layers from their expected values.
public struct ComparisonReport: Sendable, Codable {
  /// The reference, as given by the caller.
  public let reference: String
  /// The kind of the reference.
  public let kind: Kind
  /// A description of the inputs.
  public let inputs: String
  /// The precision in which the layers were computed; the reference values are not rounded.
  public let precision: String
  /// The number of samples that were run.
  public let samples: Int
  /// The layers in the order of the model, after inputs that it preprocesses.
  ///
  /// Each was run on the expected values of its inputs.
  public let layers: [LayerRow]
  /// The model's outputs, computed from its inputs; they do not affect ``passed``.
  public let outputs: [OutputRow]
  /// The first layer that exceeds its tolerance.
  public let firstFailure: String?
  /// Layers without reference values, or with an input whose shape differs from the expected one.
  public let unmatched: [String]
  /// True if every layer is within its tolerance.
  public let passed: Bool

  /// The kind of a reference.
  public enum Kind: String, Sendable, Codable {
    /// Another model.
    case model
    /// Activations saved by a framework.
    case activations
  }

  /// The result for one layer.
  public struct LayerRow: Sendable, Codable {
    /// The name of the layer.
    public let name: String
    /// The layer's operator.
    public let `operator`: String
    /// The layer that it was compared with, if that has another name.
    public let counterpart: String?
    /// The order of axes of its saved activation, `channelsFirst` or `channelsLast`; `nil` if only one is possible.
    public let axes: String?
    /// The found and expected shapes, without the batch axis, if they differ; then no values are compared.
    public let shapes: Shapes?
    /// The distance from the expected values.
    public let difference: Distances
    /// The largest distance that is accepted.
    public let tolerance: Double
    /// The number of products that are summed for one of its values.
    public let fanIn: Int
    /// True if the layer is within its tolerance.
    public let passed: Bool
    /// The number of preceding layers that were computed rather than compared, for lack of reference values; `nil`
    /// for none.
    public let uncompared: Int?
    /// The number of values that were not compared because rounding may decide them, as in near ties; `nil` for none.
    public let ties: Int?
    /// The diagnosis, if a known mistake explains the difference.
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
    /// The shape of the layer.
    public let found: [Int]
    /// The expected shape.
    public let expected: [Int]
  }

  /// The diagnosis of a layer.
  public struct DiagnosisRow: Sendable, Codable {
    /// The kind of mistake.
    public let kind: Repair.Kind
    /// A description of the mistake.
    public let finding: String
    /// The change that corrects it.
    public let advice: String
    /// The layers to change, if not the diagnosed layer itself; otherwise `nil`.
    public let layers: [String]?

    init(_ explanation: Explanation) {
      kind = explanation.repair.kind
      finding = explanation.repair.finding
      advice = explanation.repair.advice
      layers = explanation.layers.isEmpty ? nil : explanation.layers
    }
  }

  /// The result for an output of the model.
  public struct OutputRow: Sendable, Codable {
    /// The name of the output.
    public let name: String
    /// The distance from the expected values.
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
