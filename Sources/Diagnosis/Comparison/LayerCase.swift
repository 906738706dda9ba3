import Execution
import ModelIR
import Operators

/// A layer on its own, in memory: what it computes, with what, and on what.
///
/// A mistake is tried by changing a case and running it.
public struct LayerCase: Sendable {
  /// A parameter of the layer.
  public struct Parameter: Sendable {
    /// Its role, axes and sizes.
    public let spec: ParameterSpec
    /// In the layout of the spec.
    public var values: NDArray<Float>
    /// The type that it was written in, which its values are rounded to.
    public let elementType: ElementType
    /// The orders in which its values are said to lie somewhere: in its file, where they came from, and in the
    /// definition of the operator.
    public let declared: [DeclaredLayout]
  }

  /// An order of axes that someone has stated.
  public struct DeclaredLayout: Sendable, Hashable {
    /// The order.
    public let layout: Layout
    /// Axes along which the values lie in reversed order.
    public let reversed: Set<Axis>

    /// An order of axes.
    public init(_ layout: Layout, reversed: Set<Axis> = []) {
      self.layout = layout
      self.reversed = reversed
    }
  }

  /// The layer's name.
  public let name: String
  /// What it computes.
  public var operation: any Operator
  /// By role; those that the operator does without may be missing.
  public var parameters: [ParameterRole: Parameter]
  /// What it computes it on: the first axis of each is the batch.
  public var inputs: [NDArray<Float>]
  /// Which of the inputs are inputs of the model.
  public var modelInputs: Set<Int>
  /// Samples of the output of a table, which has no input that would say so.
  private let tableSamples: Int
  /// Whether the steps of what it gives are taken in reversed order.
  var reversesOutput = false

  /// The layer of a model, fed with `inputs`; its parameters are read.
  ///
  /// - Parameters:
  ///   - layer: of a model.
  ///   - inputs: in the order of the layer's.
  ///   - modelInputs: the names of the model's inputs.
  ///   - samples: of the output, for a layer without inputs.
  ///   - origins: where else the layer's parameters are said to lie, by role.
  /// - Throws: what reading the parameters throws.
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
    // As they are read, packed by the engine, moved by roundings, and repaired.
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

  /// An input of a model, as a layer that changes nothing.
  init(input name: String, _ values: NDArray<Float>) {
    self.name = name
    operation = Identity()
    parameters = [:]
    inputs = [values]
    tableSamples = 1
    modelInputs = [0]
  }

  /// The parameters of several axes, in the order of their roles.
  var kernels: [(ParameterRole, Parameter)] {
    parameters.filter { $0.value.spec.kind != .vector && $0.value.spec.kind != .unknown }
      .sorted { $0.key.rawValue < $1.key.rawValue }
  }

  /// Samples of the batch.
  public var batch: Int { inputs.first.map { $0.shape.first ?? 0 } ?? tableSamples }

  /// What the layer gives for its inputs; the first axis is the batch.
  ///
  /// - Parameter precision: where its kernels, inputs and output are rounded.
  /// - Throws: `badData` if the operator does not fit the inputs or the parameters, `usage` if it needs too much
  ///   memory.
  public func output(
    _ engine: EngineKind, precision: Precision = .float32,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> NDArray<Float> {
    var arrays: [String: NDArray<Float>] = [:]
    for (index, input) in inputs.enumerated() { arrays["\(index)"] = input }
    do {
      let model = try model
      // Threads that wait for each other cost more than they save on a small layer.
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

  /// The layer as a model of its own.
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
  /// The first sample `count` times.
  func repeated(_ count: Int) -> NDArray<Float> {
    let sample = samples(0..<1)
    return NDArray(
      shape: [count] + shape.dropFirst(), values: (0..<count).flatMap { _ in sample.values })
  }
}

extension LayerCase.Parameter {
  /// A parameter of a layer of a model, whose values are read.
  ///
  /// - Parameter origin: where else it is said to lie.
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
