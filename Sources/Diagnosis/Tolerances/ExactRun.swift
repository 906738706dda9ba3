import Dispatch
import Execution
import Lowering
import ModelIR
import Synchronization

/// A run of a model in Double with the outputs of all layers and their floating-point tolerances.
///
/// The outputs equal those of the reference engine.
package struct ExactRun: Sendable {
  /// The model, with a layer for each output that anything reads.
  package let model: Model
  /// The parameters in the order of the layers.
  private let parameters: [[ParameterRole: NDArray<Double>]]

  /// Creates a run of `model`, and loads its parameters as Double.
  ///
  /// - Throws: An error if the parameters cannot be read, or `usage` if they exceed the memory.
  package init(_ model: Model) throws(NetconvError) {
    let model = model.separated
    try ParameterMemory(model.layers, byteCount: MemoryLayout<Double>.size).check()
    self.model = model
    var parameters: [[ParameterRole: NDArray<Double>]] = []
    for layer in model.layers {
      parameters.append(
        try layer.loadParameters().mapValues { $0.converted(to: Double.self) })
    }
    self.parameters = parameters
  }

  /// The result of a layer for all samples.
  package struct Result<Item: Sendable>: Sendable {
    /// The items computed from the output of each sample, in order.
    package var items: [Item]
    /// The tolerance for other programs.
    package var tolerance: CumulativeTolerance
  }

  /// Runs all samples of a batch.
  ///
  /// - Parameters:
  ///   - inputs: The inputs, as for an engine; they fit the model.
  ///   - checkCancellation: Called between layers, from any thread.
  ///   - item: Returns the value to keep for an output rounded to float32; called from several
  ///     threads.
  /// - Returns: The results in the order of the layers of ``model``.
  /// - Throws: The error from the first layer that fails; `usage` if the memory is insufficient.
  package func run<Item: Sendable>(
    _ inputs: [String: NDArray<Float>],
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void,
    item: @escaping @Sendable (Layer, NDArray<Float>) -> Item
  ) throws(NetconvError) -> [Result<Item>] {
    let shapes = try BatchShapes(of: inputs, for: model, byteCount: MemoryLayout<Double>.size)
    let batch = shapes.batch
    try RunMemory.check(
      model, on: shapes, runs: 1 + Precision.allCases.count, atOnce: batch)
    let traces = try Self.concurrently(batch) { sample throws(NetconvError) in
      try trace(sample, inputs, checkCancellation, item)
    }
    return model.layers.indices.map { layer in
      Result(
        items: traces.map { $0[layer].item }, tolerance: tolerance(traces.map { $0[layer].errors }))
    }
  }

  /// The result of a layer for one sample.
  private struct Trace<Item: Sendable>: Sendable {
    let item: Item
    let errors: Errors
  }

  /// The distances of the second runs from the exact one.
  private struct Errors: Sendable {
    /// The largest magnitude of an exact value.
    var largest = 0.0
    /// The largest distance at each precision; missing if the precision cannot hold the values.
    var distances: [Precision: Double] = [:]
    /// The floor relative to the largest magnitude.
    var growth: [Precision: Double] = [:]
  }

  private func tolerance(_ errors: [Errors]) -> CumulativeTolerance {
    let tolerance = { (precision: Precision) -> Double? in
      guard errors.allSatisfy({ $0.distances[precision] != nil }) else { return nil }
      let distance = errors.reduce(0) { max($0, $1.distances[precision] ?? 0) }
      let floor = errors.reduce(0) { max($0, ($1.growth[precision] ?? 0) * $1.largest) }
      // Large weights can produce values near the limit of Double.
      return min(CumulativeTolerance.room(precision) * distance + floor, .greatestFiniteMagnitude)
    }
    return CumulativeTolerance(float32: tolerance(.float32) ?? 0, float16: tolerance(.float16))
  }

  private func trace<Item: Sendable>(
    _ sample: Int, _ inputs: [String: NDArray<Float>],
    _ checkCancellation: () throws(NetconvError) -> Void,
    _ item: @Sendable (Layer, NDArray<Float>) -> Item
  ) throws(NetconvError) -> [Trace<Item>] {
    var exact: [String: NDArray<Double>] = [:]
    for (name, array) in inputs { exact[name] = array.sample(sample) }
    var runs = Precision.allCases.map { DisturbedRun(model, $0, exact, sample: sample) }
    var traces: [Trace<Item>] = []
    for (index, layer) in model.layers.enumerated() {
      try checkCancellation()
      do {
        let read = layer.inputs.compactMap { exact[$0] }
        let fanIn = max(1, layer.operation.fanIn(of: read.map(\.shape)))
        let disturbed = runs
        let outputs = try Self.concurrently(1 + runs.count) { run throws(NetconvError) in
          run == 0
            ? try layer.operation.evaluate(read, parameters[index])
            : try disturbed[run - 1].output(of: layer, index, parameters[index], fanIn: fanIn)
        }
        guard let output = outputs[0] else { preconditionFailure("every layer is evaluated") }
        typealias Part = (run: DisturbedRun?, kept: (item: Item, largest: Double)?)
        let parts = try Self.concurrently(1 + runs.count) { place -> Part in
          guard place > 0 else {
            let largest = output.values.reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
            return (nil, (item(layer, output.converted(to: Float.self)), largest))
          }
          var run = disturbed[place - 1]
          run.follow(layer, output, outputs[place], fanIn: fanIn)
          return (run, nil)
        }
        runs = parts.compactMap(\.run)
        guard let kept = parts[0].kept else { preconditionFailure("the first part keeps an item") }
        var errors = Errors()
        errors.largest = kept.largest
        for run in runs {
          errors.distances[run.precision] = run.distance
          errors.growth[run.precision] = run.growth(of: layer)
        }
        exact[layer.name] = output
        traces.append(Trace(item: kept.item, errors: errors))
      } catch {
        throw error.inLayer(layer.name)
      }
      for input in layer.inputs where model.lastReader(of: input) == index {
        exact[input] = nil
        for run in runs.indices { runs[run].forget(input) }
      }
    }
    return traces
  }

  /// Runs `body` concurrently for the indices 0 to `count` - 1.
  ///
  /// - Throws: The error for the lowest index that fails.
  private static func concurrently<Item: Sendable>(
    _ count: Int, _ body: @Sendable (Int) throws(NetconvError) -> Item
  ) throws(NetconvError) -> [Item] {
    let results = Mutex<[Int: Swift.Result<Item, NetconvError>]>([:])
    DispatchQueue.concurrentPerform(iterations: count) { index in
      let result = Swift.Result { () throws(NetconvError) in try body(index) }
      results.withLock { $0[index] = result }
    }
    return try results.withLock { $0 }.sorted { $0.key < $1.key }
      .map { result throws(NetconvError) in try result.value.get() }
  }
}
