import Lowering
import ModelIR
import Synchronization

/// An engine that runs a model in float32 with vector instructions on all cores.
///
/// Parameters are packed once; memory is planned once for every input shape.
public final class FastEngine: Engine {
  private let model: Model
  private let results: Set<String>
  private let precision: Precision
  private let kernels: LayerKernels
  private let threads: Int
  /// The last plan and its shapes; most batches have the shape of the previous one.
  private let lastPlan = Mutex<(shapes: [String: [Int]], limit: Int, plan: Plan)?>(nil)

  /// Creates an engine for `model` and loads its parameters.
  ///
  /// The environment variable `NETCONV_CPU` selects the instruction set: `v4`, `v3`, `base`, `neon`.
  /// - Throws: `usage` if `layers` contains an unknown name, a layer is stateful, or the CPU does not support
  ///   `NETCONV_CPU`, and any error in reading the parameters.
  public convenience init(
    _ model: Model, keeping layers: Set<String> = [], precision: Precision = .float32
  ) throws(NetconvError) {
    try self.init(model, keeping: layers, precision: precision, threads: nil)
  }

  /// Creates an engine that uses at most `threads` threads; by default, the number of cores.
  ///
  /// - Throws: as ``init(_:keeping:precision:)``.
  public convenience init(
    _ model: Model, keeping layers: Set<String> = [], precision: Precision = .float32,
    threads: Int?
  ) throws(NetconvError) {
    try self.init(
      model, keeping: layers, precision: precision, threads: threads, level: try CPULevel.chosen())
  }

  /// Creates an engine that uses the instructions of `level`.
  ///
  /// - Throws: as ``init(_:keeping:precision:)``.
  package init(
    _ model: Model, keeping layers: Set<String> = [], precision: Precision = .float32,
    threads: Int? = nil, level: CPULevel
  ) throws(NetconvError) {
    try model.requireFreshStates()
    self.model = model
    self.precision = precision
    self.threads = max(1, threads ?? CPULevel.coreCount)
    results = try model.results(keeping: layers)
    kernels = try LayerKernels(model, level, results: results, precision)
  }

  /// The layers whose operators have no fast kernel; they run by their definition, slowly.
  public var fallbacks: [String] { kernels.fallbacks }

  /// The number of steps, including views; it is lower than the number of layers if layers are fused.
  package var stepCount: Int { kernels.layers.count }

  /// Runs the model on a batch.
  public func run(
    _ inputs: [String: NDArray<Float>],
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> [String: NDArray<Float>] {
    let batch = try BatchShapes(of: inputs, for: model, byteCount: MemoryLayout<Float>.size)
    let plan = try plan(for: batch)
    let counts = try resultCounts(plan, batch)
    var failure: NetconvError?
    let arrays = model.inputs.compactMap { inputs[$0.name] }
      .map { precision == .float16 ? HalfRounding.round($0).values : $0.values }
    let filled = withAddresses(of: arrays[...]) { inputs in
      filledArrays(of: counts[...]) { results in
        guard batch.batch > 0 else { return }
        do throws(NetconvError) {
          try Runner(
            plan: plan, batch: batch.batch, inputs: inputs, results: results,
            checkCancellation: checkCancellation
          ).run(threads: threads)
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
    var outputs: [String: NDArray<Float>] = [:]
    for (name, place) in plan.results {
      let shape = [batch.batch] + (batch.shapes[name] ?? [])
      switch place {
      case .input(let index): outputs[name] = NDArray(shape: shape, values: arrays[index])
      case .result(let index): outputs[name] = NDArray(shape: shape, values: filled[index])
      // Results are never in a thread's memory.
      case .miniBatch, .stage: break
      }
    }
    return outputs
  }

  /// Returns the number of values of memory that each thread needs to run the model on `inputs`.
  ///
  /// - Throws: as ``run(_:checkCancellation:)``.
  package func memoryCount(for inputs: [String: NDArray<Float>]) throws(NetconvError) -> Int {
    try plan(for: BatchShapes(of: inputs, for: model, byteCount: MemoryLayout<Float>.size))
      .arenaCount
  }

  private func plan(for batch: BatchShapes) throws(NetconvError) -> Plan {
    let limit = max(1, (batch.batch + threads - 1) / threads)
    if let last = lastPlan.withLock({ $0 }), last.shapes == batch.shapes, last.limit == limit {
      return last.plan
    }
    let fallbacks = Set(fallbacks)
    // Each thread computes one image by the operator's definition.
    let images = max(1, min(threads, batch.batch))
    let tables = model.layers.reduce(0) { sum, layer in
      let isFallback = fallbacks.contains(layer.name)
      return sum + (isFallback ? images : 1)
        * layer.tableBytes(batch.shapes, isFallback: isFallback)
    }
    try RunMemory.check(tables, samples: batch.batch)
    let plan = try Planner(model, kernels, batch.shapes, results: results, limit: limit).plan()
    lastPlan.withLock { $0 = (batch.shapes, limit, plan) }
    return plan
  }

  /// Returns the sizes of the arrays to return.
  private func resultCounts(_ plan: Plan, _ batch: BatchShapes) throws(NetconvError) -> [Int] {
    let bound = MemoryBound.bytes / MemoryLayout<Float>.size
    guard plan.arenaCount <= bound else { throw .planTooLarge(samples: batch.batch) }
    var total = plan.memoryCount(batch: batch.batch, threads: threads)
    var counts: [Int] = []
    for count in plan.resultCounts {
      counts.append(
        try MemoryBound.values([count], samples: batch.batch, byteCount: MemoryLayout<Float>.size))
      total += counts[counts.count - 1]
    }
    guard total <= bound else { throw .planTooLarge(samples: batch.batch) }
    try RunMemory.check(total * MemoryLayout<Float>.size, samples: batch.batch)
    return counts
  }
}
