import Execution
import Lowering
import ModelIR
import Operators

/// A single layer in memory, with its parameters and inputs.
///
/// To try a correction, a case is changed and run.
public struct LayerCase: Sendable {
  /// A parameter of the layer.
  public struct Parameter: Sendable {
    /// Its role, axes and sizes.
    public let spec: ParameterSpec
    /// The values, in the layout of the spec.
    public var values: NDArray<Float>
    /// The dtype in which the parameter was written, to which its values are rounded.
    public let elementType: ElementType
    /// The layouts stated for the values: in the file, in the source, and in the definition of the
    /// operator.
    public let declared: [DeclaredLayout]
  }

  /// A stated order of axes.
  public struct DeclaredLayout: Sendable, Hashable {
    /// The order of the axes.
    public let layout: Layout
    /// The axes along which the values are stored in reverse.
    public let reversed: Set<Axis>

    /// Creates a stated layout.
    public init(_ layout: Layout, reversed: Set<Axis> = []) {
      self.layout = layout
      self.reversed = reversed
    }
  }

  /// The layer's name.
  public let name: String
  /// The operator.
  public var operation: any Operator
  /// The parameters by role, possibly without optional ones.
  public var parameters: [ParameterRole: Parameter]
  /// The inputs; the first axis of each is the batch.
  public var inputs: [NDArray<Float>]
  /// The indices of the inputs that are inputs of the model.
  public var modelInputs: Set<Int>
  /// The number of output samples of a constant table, which has no input.
  private let tableSamples: Int
  /// True if the output's steps are reversed.
  var reversesOutput = false

  /// Creates a case for a layer of a model, and reads its parameters.
  ///
  /// - Parameters:
  ///   - layer: The layer.
  ///   - inputs: The inputs in the order of the layer's.
  ///   - modelInputs: The names of the model's inputs.
  ///   - samples: The number of output samples, for a layer without inputs.
  ///   - origins: Other stated layouts of the parameters, by role.
  /// - Throws: An error if the parameters cannot be read.
  public init(
    _ layer: Layer, inputs: [NDArray<Float>], modelInputs: Set<String> = [], samples: Int = 1,
    origins: [ParameterRole: DeclaredLayout] = [:]
  ) throws(NetconvError) {
    name = layer.name
    operation = layer.operation
    self.inputs = inputs
    tableSamples = samples
    self.modelInputs = Set(layer.inputs.indices.filter { modelInputs.contains(layer.inputs[$0]) })
    parameters = [:]
    // Four copies: as read, packed by the engine, perturbed by rounding errors, and repaired.
    try ParameterMemory([layer], byteCount: 4 * MemoryLayout<Float>.size).check()
    for tensor in layer.parameters {
      let role = tensor.spec.role
      do {
        parameters[role] = try Parameter(tensor, origin: origins[role])
      } catch {
        throw error.inTensor(role.rawValue).inLayer(layer.name)
      }
    }
  }

  /// Creates a case for an input of a model, as an identity layer.
  init(input name: String, _ values: NDArray<Float>) {
    self.name = name
    operation = Identity()
    parameters = [:]
    inputs = [values]
    tableSamples = 1
    modelInputs = [0]
  }

  /// The parameters with several axes, in the order of their roles.
  var kernels: [(ParameterRole, Parameter)] {
    parameters.filter { $0.value.spec.kind != .vector && $0.value.spec.kind != .unknown }
      .sorted { $0.key.rawValue < $1.key.rawValue }
  }

  /// The batch size.
  public var batch: Int { inputs.first.map { $0.shape.first ?? 0 } ?? tableSamples }

  /// Runs the layer on its inputs; the first axis of the output is the batch.
  ///
  /// - Parameter precision: The precision to which kernels, inputs and output are rounded.
  /// - Throws: `badData` if the operator does not fit the inputs or the parameters, `usage` if it
  ///   needs too much memory.
  public func output(
    _ engine: EngineKind, precision: Precision = .float32,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> NDArray<Float> {
    var arrays: [String: NDArray<Float>] = [:]
    for (index, input) in inputs.enumerated() { arrays["\(index)"] = input }
    do {
      let model = try model
      // For a small layer, the synchronisation of threads costs more than it saves.
      let runner = try engine.engine(
        for: model, precision: precision, threads: isSmall ? 1 : nil)
      let outputs = try runner.run(arrays, checkCancellation: checkCancellation)
      var output = outputs[name] ?? NDArray(shape: [0], values: [])
      if inputs.isEmpty { output = output.repeated(tableSamples) }
      return reversesOutput ? output.withStepsReversed : output
    } catch {
      throw error.inLayer(name)
    }
  }

  private var isSmall: Bool {
    inputs.reduce(0) { $0 + $1.count } < 1 << 16
      && parameters.values.reduce(0) { $0 + $1.values.count } < 1 << 16
  }

  /// A model with this layer alone.
  private var model: Model {
    get throws(NetconvError) {
      let shapes = inputs.map { Shape(Array($0.shape.dropFirst())) }
      return try Model(
        layer: name, operation, inputShapes: shapes, parameters: try tensors(for: shapes))
    }
  }

  private func tensors(for shapes: [Shape]) throws(NetconvError) -> [Tensor] {
    var tensors: [Tensor] = []
    for spec in try operation.parameters(for: shapes) {
      guard let parameter = parameters[spec.role] else {
        guard spec.isOptional else { throw .lacksParameter(spec.role) }
        continue
      }
      tensors.append(
        try Tensor(
          layer: name, spec: parameter.spec,
          stored: StoredTensor(
            source: ArraySource(parameter.values.values), layout: parameter.spec.layout,
            shape: parameter.values.shape, path: "memory")))
    }
    return tensors
  }
}

extension NDArray<Float> {
  /// The first sample, repeated `count` times.
  func repeated(_ count: Int) -> NDArray<Float> {
    let sample = samples(0..<1)
    return NDArray(
      shape: [count] + shape.dropFirst(), values: (0..<count).flatMap { _ in sample.values })
  }
}

extension LayerCase.Parameter {
  /// Creates a parameter from a tensor, and reads its values.
  ///
  /// - Parameter origin: Another stated layout.
  init(_ tensor: Tensor, origin: LayerCase.DeclaredLayout? = nil) throws(NetconvError) {
    let wanted = try tensor.rearranged(to: tensor.spec.layout)
    let inFile = LayerCase.DeclaredLayout(tensor.storedLayout, reversed: tensor.stored.reversed)
    var declared = [inFile]
    for other in [origin, LayerCase.DeclaredLayout(tensor.spec.layout)].compactMap(\.self)
    where !declared.contains(other) { declared.append(other) }
    self.init(
      spec: tensor.spec,
      values: NDArray(shape: wanted.shape, values: try wanted.values()),
      elementType: tensor.stored.source.elementType, declared: declared)
  }
}

extension NetconvError {
  fileprivate static func lacksParameter(_ role: ParameterRole) -> NetconvError {
    NetconvError(.badData, "has no \(role), which its operator needs")
  }
}
