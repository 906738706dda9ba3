import Lowering
import ModelIR

/// An engine that evaluates operators by their definition, one sample after another, in Double from inputs to outputs.
public struct ReferenceEngine: Engine {
  /// Empty: all layers run by their definition, as intended.
  public var fallbacks: [String] { [] }

  private let model: Model
  private let results: Set<String>
  /// The parameters in the order of the layers.
  private let parameters: [[ParameterRole: NDArray<Double>]]
  private let rounding: HalfRounding?

  /// Creates an engine for `model` and loads its parameters.
  ///
  /// - Throws: `usage` if `layers` contains an unknown name or a layer is stateful, and any error in reading the
  ///   parameters.
  public init(
    _ model: Model, keeping layers: Set<String> = [], precision: Precision = .float32
  ) throws(NetconvError) {
    try model.requireFreshStates()
    self.model = model
    rounding = HalfRounding(precision, model)
    results = try model.results(keeping: layers)
    try ParameterMemory(model.layers, byteCount: MemoryLayout<Double>.size).check()
    var parameters: [[ParameterRole: NDArray<Double>]] = []
    for layer in model.layers {
      parameters.append(
        try layer.loadParameters(nil, precision).mapValues { $0.converted(to: Double.self) })
    }
    self.parameters = parameters
  }

  /// Runs the model on a batch.
  public func run(
    _ inputs: [String: NDArray<Float>],
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> [String: NDArray<Float>] {
    let batch = try BatchShapes(of: inputs, for: model, byteCount: MemoryLayout<Double>.size)
    var values: [String: [Float]] = [:]
    for name in results {
      let count = try MemoryBound.values(
        batch.shapes[name] ?? [], samples: batch.batch, byteCount: MemoryLayout<Float>.size)
      values[name] = []
      values[name]?.reserveCapacity(count)
    }
    try RunMemory.check(model, on: batch, keeping: results)
    for sample in 0..<batch.batch {
      let outputs = try runSample(inputs.mapValues { $0.sample(sample) }, checkCancellation)
      for (name, output) in outputs { values[name]? += output.values.map { Float($0) } }
    }
    var arrays: [String: NDArray<Float>] = [:]
    for (name, values) in values {
      arrays[name] = NDArray(shape: [batch.batch] + (batch.shapes[name] ?? []), values: values)
    }
    return arrays
  }

  private func runSample(
    _ inputs: [String: NDArray<Double>], _ checkCancellation: () throws(NetconvError) -> Void
  ) throws(NetconvError) -> [String: NDArray<Double>] {
    var values = rounding == nil ? inputs : inputs.mapValues { HalfRounding.round($0) }
    for (index, layer) in model.layers.enumerated() {
      try checkCancellation()
      do {
        let outputs = try evaluate(
          layer, layer.inputs.compactMap { values[$0] }, parameters[index])
        for (output, value) in zip(layer.outputs, outputs) { values[output.name] = value }
      } catch {
        throw error.inLayer(layer.name)
      }
      for input in layer.inputs
      where model.lastReader(of: input) == index && !results.contains(input) {
        values[input] = nil
      }
    }
    return values.filter { results.contains($0.key) }
  }

  private func evaluate(
    _ layer: Layer, _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> [NDArray<Double>] {
    guard let rounding else { return try layer.operation.evaluateOutputs(inputs, parameters) }
    let outputs = try rounding.evaluate(layer, inputs, parameters)
    return rounding.stores(layer.name) ? outputs.map { HalfRounding.round($0) } : outputs
  }
}

extension NDArray<Float> {
  /// Returns one sample of a batch, in Double.
  package func sample(_ index: Int) -> NDArray<Double> {
    let shape = Array(shape.dropFirst())
    let count = shape.reduce(1, *)
    return NDArray<Double>(
      shape: shape, values: values[index * count..<(index + 1) * count].map { Double($0) })
  }
}
