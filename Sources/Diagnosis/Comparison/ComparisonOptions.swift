import Execution
import Lowering
import ModelIR
import Operators

/// The reference values of a comparison.
public struct ExpectedActivations: Sendable {
  /// The values by name; the first axis is the batch.
  public var values: [String: NDArray<Float>]
  /// The model that computed them, if known.
  public var model: Model?

  /// Creates reference values of unknown origin.
  public init(_ values: [String: NDArray<Float>]) {
    self.values = values
  }

  /// Computes the values of all layers of `model` for `inputs`.
  ///
  /// - Throws: An error if the model cannot be run.
  public init(
    of model: Model, on inputs: [String: NDArray<Float>], engine: EngineKind,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) {
    values = try engine.engine(for: model, keeping: Set(model.computedNames)).run(
      inputs, checkCancellation: checkCancellation)
    for (name, array) in inputs { values[name] = array }
    self.model = model.separated
  }
}

/// The options of a comparison.
public struct ComparisonOptions: Sendable {
  /// The engine that runs the layers.
  public var engine = EngineKind.fast
  /// The precision to which the examined layers are rounded.
  public var precision = Precision.float32
  /// The names of the compared layers, where they differ.
  public var counterparts: [String: String] = [:]
  /// The tolerance of every layer, as a fraction of its largest value.
  ///
  /// By default it follows from the layer's dtypes and fan-in.
  public var relativeTolerance: Double?
  /// True if a layer passes that has no finite value on either side.
  public var acceptsNotFinite = false
  /// The layouts of the model's tensors at their source, by layer and role.
  public var origins: [String: [ParameterRole: LayerCase.DeclaredLayout]] = [:]
  /// The largest number of failed layers that are searched for mistakes.
  public var explanationLimit = 8

  /// Creates the default options.
  public init() {}
}
