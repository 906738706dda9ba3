import Execution
import ModelIR
import Operators

/// A model compared with what its layers should give, each layer by itself.
///
/// A layer is fed with the values that its inputs should have, so that an error stays where it arises. A layer that
/// nothing is known of is computed by the model itself, from what is known before it, and counts with the next one.
public struct ModelComparison: Sendable {
  /// A layer, or an input that the model prepares by itself.
  public struct Row: Sendable {
    /// The name in the model that is examined.
    public let name: String
    /// What computes it: the name of the operator, `Input` for an input.
    public let operation: String
    /// The name of what it is compared with, where that is another: the last layer of a fold.
    public let counterpart: String?
    /// The shapes that it has and should have, the batch first, if they differ; its values are not compared then.
    public internal(set) var shapes: (found: [Int], expected: [Int])?
    /// How far it is from what it should be.
    public let difference: Difference
    /// How far it may be.
    public let tolerance: Double
    /// Products summed for one output.
    public let fanIn: Int
    /// The number of layers in front of it of which nothing is known, so that they were computed.
    public internal(set) var computedCount = 0
    /// The number of values that were left out: what they are hangs on values that are nearly equal.
    public internal(set) var tieCount = 0
    /// Whether rounding may decide all of its values, so that nothing was compared.
    public var isUndecided: Bool { tieCount > 0 && difference.count == 0 }
    /// Whether it is enough that no value is finite, here as there.
    let acceptsNotFinite: Bool
    /// What is wrong, if it is beyond the tolerance and a known mistake explains it.
    public internal(set) var explanation: Explanation?

    /// Whether the layer is within its tolerance.
    ///
    /// One of which no pair of values is finite was not compared, and is not, unless that was said to be enough.
    public var passed: Bool {
      shapes == nil && difference.mismatchedNonFinite == 0 && !isUndecided
        && (difference.isKnown ? difference.maximumAbsolute <= tolerance : acceptsNotFinite)
    }
  }

  /// In the order of the model.
  public let rows: [Row]
  /// The model's outputs, run from the inputs on, by name in the order of the model.
  public let outputs: [(name: String, difference: Difference)]
  /// Layers that there was nothing to compare with, or that read one of another shape than it should have.
  public let unmatched: [String]

  /// The first layer beyond its tolerance.
  public var firstFailure: Row? { rows.first { !$0.passed } }
}

/// What a model is compared with.
public struct ExpectedActivations: Sendable {
  /// Values of the model, by name; the first axis is the batch.
  public var values: [String: NDArray<Float>]
  /// The model that they come from, if it is known.
  public var model: Model?

  /// Values of unknown origin.
  public init(_ values: [String: NDArray<Float>]) {
    self.values = values
  }

  /// What `model` gives for `inputs`, layer by layer.
  ///
  /// - Throws: as running the model does.
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

/// How a comparison is done.
public struct ComparisonOptions: Sendable {
  /// What runs the layers.
  public var engine = EngineKind.fast
  /// Where the values of the layers that are examined are rounded.
  public var precision = Precision.float32
  /// The name of what a layer is compared with, where that is not its own.
  public var counterparts: [String: String] = [:]
  /// The tolerance of every layer, as a fraction of its largest value; by default it follows from the types and sums
  /// that the layer is made of.
  public var relativeTolerance: Double?
  /// Whether a layer passes of which no value is finite, in both.
  public var acceptsNotFinite = false
  /// Where the tensors of the model came from, by layer and role.
  public var origins: [String: [ParameterRole: LayerCase.DeclaredLayout]] = [:]
  /// The most layers that mistakes are looked for in.
  public var explanationLimit = 8

  /// The defaults.
  public init() {}
}

extension ModelComparison {
  /// Compares `model`, layer by layer, with what its layers should give; each output of a layer is a row.
  ///
  /// - Parameters:
  ///   - model: what is examined.
  ///   - inputs: what it is fed with from end to end; by name.
  ///   - expected: for the same samples.
  ///   - progress: told how much is done, from 0 to 1.
  /// - Throws: `badData` if a layer cannot be run, `interrupted`.
  public init(
    of model: Model, on inputs: [String: NDArray<Float>], with expected: ExpectedActivations,
    _ options: ComparisonOptions = ComparisonOptions(), progress: (Double) -> Void = { _ in },
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void = {}
  ) throws(NetconvError) {
    let separated = model.separated
    var work = Comparing(
      model: separated, expected: expected, options: options, checkCancellation: checkCancellation)
    try work.compareInputs(inputs)
    for (index, layer) in separated.layers.enumerated() {
      try checkCancellation()
      try work.compare(layer)
      progress(Double(index + 1) / Double(separated.layers.count + 1))
    }
    let results = try options.engine.engine(for: model, precision: options.precision).run(
      inputs, checkCancellation: checkCancellation)
    outputs = model.outputs.compactMap { name in
      guard let found = results[name]?.values,
        let right = expected.values[work.counterpart(of: name)]?.values, right.count == found.count
      else { return nil }
      return (name, Difference(found, from: right))
    }
    rows = work.rows
    unmatched = work.unmatched
  }
}

/// The work of comparing.
private struct Comparing {
  let model: Model
  let expected: ExpectedActivations
  let options: ComparisonOptions
  let checkCancellation: @Sendable () throws(NetconvError) -> Void
  var rows: [ModelComparison.Row] = []
  var unmatched: [String] = []

  private var explained = 0
  /// Layers that have another shape than they should.
  private var misshapen: Set<String> = []

  init(
    model: Model, expected: ExpectedActivations, options: ComparisonOptions,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) {
    self.model = model
    self.expected = expected
    self.options = options
    self.checkCancellation = checkCancellation
  }

  func counterpart(of name: String) -> String { options.counterparts[name] ?? name }

  /// Inputs that the model prepares by itself: pixels that are scaled as it says.
  mutating func compareInputs(_ inputs: [String: NDArray<Float>]) throws(NetconvError) {
    for input in model.inputs {
      guard let found = inputs[input.name], let right = expected.values[input.name],
        found.count == right.count
      else { continue }
      let difference = Difference(found.values, from: right.values)
      var row = ModelComparison.Row(
        name: input.name, operation: "Input", counterpart: nil, difference: difference,
        tolerance: 4 * singleRoundoff * difference.expectedMaximum, fanIn: 1,
        acceptsNotFinite: options.acceptsNotFinite)
      if !row.passed {
        row.explanation = try Explanation.of(
          LayerCase(input: input.name, found), expected: nil, output: right, types: [:],
          engine: options.engine, checkCancellation: checkCancellation)
      }
      rows.append(row)
    }
  }

  mutating func compare(_ layer: Layer) throws(NetconvError) {
    let other = counterpart(of: layer.name)
    let canBeFed = misshapen.isEmpty || layer.inputs.allSatisfy(isKnownInShape)
    guard canBeFed, let right = expected.values[other] else {
      unmatched.append(layer.name)
      // Where nothing is known of it, it would be computed for the next layer.
      if !canBeFed, expected.values[other] == nil { misshapen.insert(layer.name) }
      return
    }
    let found = try examined(layer)
    let source = try sourceLayer(other, of: layer)
    let output = try found.output(
      options.engine, precision: options.precision, checkCancellation: checkCancellation)
    guard fits(output.shape, right.shape) else {
      rows.append(try row(layer, found, source, output.shape, expected: right))
      misshapen.insert(layer.name)
      return
    }
    let roundings = roundings(found, source)
    let tolerance = try LayerTolerance(
      source ?? found, output: source == nil ? output : right, types: roundings,
      engine: options.engine, precision: options.precision, checkCancellation: checkCancellation)
    let ties = tolerance.ties
    let difference = Difference(output.values.leavingOut(ties), from: right.values.leavingOut(ties))
    var row = ModelComparison.Row(
      name: layer.name, operation: type(of: layer.operation).name,
      counterpart: other == layer.name ? nil : other, difference: difference,
      tolerance: options.relativeTolerance.map { $0 * difference.expectedMaximum }
        ?? tolerance.value, fanIn: tolerance.fanIn, acceptsNotFinite: options.acceptsNotFinite)
    row.tieCount = ties.count
    row.computedCount = part(before: layer).layers.count - 1
    if !row.passed, explained < options.explanationLimit {
      explained += 1
      row.explanation = try Explanation.of(
        found, expected: source, opposites: try opposites(of: layer), output: right,
        types: roundings,
        engine: options.engine, checkCancellation: checkCancellation)
      if row.explanation == nil, let namesake = namesake(other, of: layer) {
        row.explanation = .of(layer.operation, insteadOf: namesake.operation)
      }
      if row.explanation == nil, expected.model == nil, row.computedCount > 0 {
        row.explanation = try explanation(before: layer, output: right, row.tolerance)
      }
    }
    rows.append(row)
  }

  /// The layer, and those before it of which nothing is known.
  private func part(before layer: Layer) -> Model {
    model.part(
      computing: layer.name,
      from: Set(model.layers.map(\.name).filter { expected.values[counterpart(of: $0)] != nil }))
  }

  /// A mistake in one of the layers of which nothing is known, or the same one in several, which explains the output of
  /// the layer behind them.
  private func explanation(
    before layer: Layer, output: NDArray<Float>, _ tolerance: Double
  ) throws(NetconvError) -> Explanation? {
    let part = part(before: layer)
    // All of them are held, and changed.
    let memory = ParameterMemory(part.layers, byteCount: 4 * MemoryLayout<Float>.size)
    guard (try? memory.check()) != nil else { return nil }
    var inputs: [String: NDArray<Float>] = [:]
    for input in part.inputs {
      guard let value = expected.values[counterpart(of: input.name)] else { return nil }
      inputs[input.name] = try shaped(value, like: input.name)
    }
    return try GapSearch(
      part, inputs, modelInputs: Set(model.inputs.map(\.name)), right: output,
      origins: options.origins, engine: options.engine, checkCancellation: checkCancellation
    ).explanation(tolerance: tolerance)
  }

  /// Whether values of both shapes, the batch first, can be compared one by one.
  ///
  /// Axes of one place do not matter. Saved activations may be flat; a layer of a model may not.
  private func fits(_ found: [Int], _ right: [Int]) -> Bool {
    let (a, b) = (found.dropFirst().filter { $0 != 1 }, right.dropFirst().filter { $0 != 1 })
    let isFlat = a.count != b.count && a.reduce(1, *) == b.reduce(1, *)
    return found.first == right.first && (a == b || expected.model == nil && isFlat)
  }

  /// Whether what a layer or input should give has the shape that the model has there.
  private func isKnownInShape(_ name: String) -> Bool {
    guard !misshapen.contains(name) else { return false }
    guard let known = expected.values[counterpart(of: name)], let batch = known.shape.first,
      let shape = model.shape(of: name)?.known
    else { return true }
    return fits([batch] + shape, known.shape)
  }

  /// A layer that has another shape than it should.
  ///
  /// - Throws: `badData` if it is another number of samples; what running the layer throws.
  private func row(
    _ layer: Layer, _ found: LayerCase, _ source: LayerCase?, _ shape: [Int],
    expected right: NDArray<Float>
  ) throws(NetconvError) -> ModelComparison.Row {
    guard shape.first == right.shape.first else {
      throw NetconvError.otherShape(shape, expected: right.shape).inLayer(layer.name)
    }
    let other = counterpart(of: layer.name)
    var row = ModelComparison.Row(
      name: layer.name, operation: type(of: layer.operation).name,
      counterpart: other == layer.name ? nil : other, shapes: (shape, right.shape),
      difference: Difference(), tolerance: 0, fanIn: found.fanIn, acceptsNotFinite: false)
    let cause =
      try Explanation.of(
        found, expected: source, output: right, types: roundings(found, source),
        engine: options.engine, checkCancellation: checkCancellation)
      ?? namesake(other, of: layer).flatMap { .of(layer.operation, insteadOf: $0.operation) }
    row.explanation = .otherShape(shape, expected: right.shape, cause)
    return row
  }

  /// The layer of the model, fed with what its inputs should be.
  private func examined(_ layer: Layer) throws(NetconvError) -> LayerCase {
    var inputs: [NDArray<Float>] = []
    for name in layer.inputs {
      if let known = expected.values[counterpart(of: name)] {
        inputs.append(try shaped(known, like: name))
      } else {
        inputs.append(try computed(name))
      }
    }
    return try LayerCase(
      layer, inputs: inputs, modelInputs: Set(model.inputs.map(\.name)), samples: samples,
      origins: options.origins[layer.name] ?? [:])
  }

  /// The number of samples that are compared.
  private var samples: Int { expected.values.first?.value.shape.first ?? 1 }

  /// The layers that go through the same sequence as a recurrent one the other way, and have parameters of the same
  /// sizes.
  private func opposites(of layer: Layer) throws(NetconvError) -> [LayerCase] {
    guard let recurrence = (layer.operation as? any RecurrentOperator)?.recurrence else {
      return []
    }
    let others = model.layers.filter { other in
      let way = (other.operation as? any RecurrentOperator)?.recurrence.goesBackwards
      return way == !recurrence.goesBackwards && other.inputs.first == layer.inputs.first
        && other.parameters.map(\.spec) == layer.parameters.map(\.spec)
    }
    return try others.prefix(Self.oppositeLimit).map { other throws(NetconvError) in
      try examined(other)
    }
  }

  /// Layers on one sequence are few.
  private static let oppositeLimit = 8

  /// A value that nothing is known of, computed from what is known.
  private func computed(_ name: String) throws(NetconvError) -> NDArray<Float> {
    let known = Set(
      model.layers.map(\.name).filter { expected.values[counterpart(of: $0)] != nil })
    let part = model.part(computing: name, from: known)
    var inputs: [String: NDArray<Float>] = [:]
    for input in part.inputs {
      guard let value = expected.values[counterpart(of: input.name)] else {
        throw NetconvError.nothingKnown(of: input.name).inLayer(name)
      }
      inputs[input.name] = try shaped(value, like: input.name)
    }
    let results = try options.engine.engine(for: part).run(
      inputs, checkCancellation: checkCancellation)
    guard let value = results[name] else { throw .nothingKnown(of: name) }
    return inputs.isEmpty ? value.repeated(samples) : value
  }

  /// Values in the shape that the model has them in.
  private func shaped(_ values: NDArray<Float>, like name: String) throws(NetconvError) -> NDArray<
    Float
  > {
    guard let shape = model.shape(of: name), let batch = values.shape.first else { return values }
    if Shape(Array(values.shape.dropFirst())).isCompatible(with: shape) { return values }
    guard let known = shape.known, fits([batch] + known, values.shape) else {
      throw NetconvError.otherShape(
        values.shape, expected: [batch] + shape.dimensions.map { $0 ?? 0 }
      )
      .inLayer(name)
    }
    return values.reshaped([batch] + known)
  }

  /// The source's layer of the same name.
  private func namesake(_ name: String, of layer: Layer) -> Layer? {
    name == layer.name ? expected.model?.layer(named: name) : nil
  }

  /// The source's layer, fed alike, where it computes the same as the model's.
  private func sourceLayer(_ name: String, of layer: Layer) throws(NetconvError) -> LayerCase? {
    guard let source = namesake(name, of: layer),
      type(of: source.operation) == type(of: layer.operation),
      source.inputs.count == layer.inputs.count
    else { return nil }
    let inputs = source.inputs.compactMap { expected.values[$0] }
    guard inputs.count == source.inputs.count else { return nil }
    return try LayerCase(
      source, inputs: inputs, modelInputs: Set(expected.model?.inputs.map(\.name) ?? []),
      samples: samples)
  }

  /// The types that kernels were rounded to on their way from the source.
  private func roundings(_ found: LayerCase, _ source: LayerCase?) -> [ParameterRole: ElementType] {
    var types = typesOfFile(found, source)
    guard options.precision == .float16 else { return types }
    // Kernels of more bits are rounded when they are run.
    for (role, _) in found.kernels where types[role]?.isWiderThanHalf ?? true {
      types[role] = .float16
    }
    return types
  }

  private func typesOfFile(
    _ found: LayerCase, _ source: LayerCase?
  ) -> [ParameterRole: ElementType] {
    let types = found.parameters.mapValues(\.elementType)
    guard let source else { return types }
    return types.filter { role, type in type != source.parameters[role]?.elementType }
  }
}

extension [Float] {
  /// The values at all other indices.
  fileprivate func leavingOut(_ indices: Set<Int>) -> [Float] {
    indices.isEmpty ? self : self.indices.filter { !indices.contains($0) }.map { self[$0] }
  }
}

extension ElementType {
  /// Whether rounding to half precision takes more off than rounding to this type.
  fileprivate var isWiderThanHalf: Bool { self == .float32 || self == .float64 }
}
