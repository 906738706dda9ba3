import Execution
import ModelIR
import Operators

/// The comparison of a model with reference values, layer by layer.
///
/// Each layer gets the reference values of its inputs, so that an error does not propagate. The
/// model itself computes a layer without reference values from the last known values; it counts
/// with the next known layer.
public struct ModelComparison: Sendable {
  /// The result for a layer, or for an input that the model prepares.
  public struct Row: Sendable {
    /// The name in the examined model.
    public let name: String
    /// The name of the operator; `Input` for an input.
    public let operation: String
    /// The name of the compared layer, if it differs: the last layer of a fold.
    public let counterpart: String?
    /// The actual and expected shapes, batch first, if they differ; the values are not compared
    /// then.
    public internal(set) var shapes: (found: [Int], expected: [Int])?
    /// The distance from the reference values.
    public let difference: Difference
    /// The allowed distance.
    public let tolerance: Double
    /// The number of products summed for one output.
    public let fanIn: Int
    /// The number of layers before this one that were computed for lack of reference values.
    public internal(set) var computedCount = 0
    /// The number of values left out because they depend on a tie between nearly equal values.
    public internal(set) var tieCount = 0
    /// True if all values were left out because of ties, so that nothing was compared.
    public var isUndecided: Bool { tieCount > 0 && difference.count == 0 }
    /// True if the layer may pass without a finite value.
    let acceptsNotFinite: Bool
    /// The known mistake that explains a failure, if any.
    public internal(set) var explanation: Explanation?

    /// True if the layer is within its tolerance.
    ///
    /// A layer without a pair of finite values was not compared and does not pass, unless
    /// `acceptsNotFinite` is set.
    public var passed: Bool {
      shapes == nil && difference.mismatchedNonFinite == 0 && !isUndecided
        && (difference.isKnown ? difference.maximumAbsolute <= tolerance : acceptsNotFinite)
    }
  }

  /// The rows in the order of the model.
  public let rows: [Row]
  /// The model's outputs after a full run, by name in the order of the model.
  public let outputs: [(name: String, difference: Difference)]
  /// The layers without reference values, or with an input of the wrong shape.
  public let unmatched: [String]

  /// The first layer beyond its tolerance.
  public var firstFailure: Row? { rows.first { !$0.passed } }
}

extension ModelComparison {
  /// Compares `model` with reference values, layer by layer; each output of a layer is a row.
  ///
  /// - Parameters:
  ///   - model: The examined model.
  ///   - inputs: The inputs of the full run, by name.
  ///   - expected: The reference values for the same samples.
  ///   - progress: Receives the completed fraction, from 0 to 1.
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

/// The state of a comparison.
private struct Comparing {
  let model: Model
  let expected: ExpectedActivations
  let options: ComparisonOptions
  let checkCancellation: @Sendable () throws(NetconvError) -> Void
  var rows: [ModelComparison.Row] = []
  var unmatched: [String] = []

  private var explained = 0
  /// The layers with unexpected shapes.
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

  /// Compares inputs that the model prepares, such as scaled pixels.
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
      // Without reference values, it would be computed as an input of the next layer.
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

  /// The layer and the preceding layers without reference values.
  private func part(before layer: Layer) -> Model {
    model.part(
      computing: layer.name,
      from: Set(model.layers.map(\.name).filter { expected.values[counterpart(of: $0)] != nil }))
  }

  /// A mistake in the preceding layers without reference values that explains the output: in one of
  /// them, or the same in several.
  private func explanation(
    before layer: Layer, output: NDArray<Float>, _ tolerance: Double
  ) throws(NetconvError) -> Explanation? {
    let part = part(before: layer)
    // The parameters of all these layers are in memory, and so is a changed copy.
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

  /// True if values of both shapes, batch first, can be compared one by one.
  ///
  /// Axes of size 1 are ignored. Saved activations may be flat, but the values of a model's layer
  /// may not.
  private func fits(_ found: [Int], _ right: [Int]) -> Bool {
    let (a, b) = (found.dropFirst().filter { $0 != 1 }, right.dropFirst().filter { $0 != 1 })
    let isFlat = a.count != b.count && a.reduce(1, *) == b.reduce(1, *)
    return found.first == right.first && (a == b || expected.model == nil && isFlat)
  }

  /// True if the reference values of a layer or input have the model's shape.
  private func isKnownInShape(_ name: String) -> Bool {
    guard !misshapen.contains(name) else { return false }
    guard let known = expected.values[counterpart(of: name)], let batch = known.shape.first,
      let shape = model.shape(of: name)?.known
    else { return true }
    return fits([batch] + shape, known.shape)
  }

  /// The row of a layer with an unexpected shape.
  ///
  /// - Throws: `badData` if the number of samples differs, or another error if the layer cannot be run.
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

  /// The layer of the model, with the reference values of its inputs.
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

  /// The number of compared samples.
  private var samples: Int { expected.values.first?.value.shape.first ?? 1 }

  /// The recurrent layers that process the same sequence in the opposite direction, with parameters
  /// of the same sizes.
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

  /// The limit on such layers; a sequence has few.
  private static let oppositeLimit = 8

  /// A value without reference, computed from the known values.
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

  /// The values in the model's shape.
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

  /// The source's layer with its reference inputs, if it has the same operator.
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

  /// The dtypes to which kernels were rounded after the source.
  private func roundings(_ found: LayerCase, _ source: LayerCase?) -> [ParameterRole: ElementType] {
    var types = typesOfFile(found, source)
    guard options.precision == .float16 else { return types }
    // Kernels with more bits are rounded at run time.
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
  /// True if float16 is less precise than this type.
  fileprivate var isWiderThanHalf: Bool { self == .float32 || self == .float64 }
}
