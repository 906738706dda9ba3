import Lowering
import ModelIR

/// An engine that runs a model.
public protocol Engine: Sendable {
  /// The names of the layers that run by their definition because the engine has no kernel for them.
  var fallbacks: [String] { get }

  /// Runs the model on a batch.
  ///
  /// - Parameters:
  ///   - inputs: the arrays by input name; the first axis is the batch, the others fit the model's shapes. Sizes that
  ///     are unknown in the model are taken from the array.
  ///   - checkCancellation: called between layers, on any thread; throws to stop the run.
  /// - Returns: the model's outputs and the layers to keep, by layer name; the first axis is the batch.
  /// - Throws: `usage` if the inputs do not fit the model, or exceed the memory limit.
  func run(
    _ inputs: [String: NDArray<Float>],
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> [String: NDArray<Float>]

  /// Resets the states of stateful layers to zeros.
  func resetStates()
}

extension Engine {
  /// Does nothing: most models have no state between runs.
  public func resetStates() {}

  /// Runs the model on a batch without cancellation.
  ///
  /// - Throws: `usage` if the inputs do not fit the model, or exceed the memory limit.
  public func run(
    _ inputs: [String: NDArray<Float>]
  ) throws(NetconvError) -> [String: NDArray<Float>] {
    try run(inputs, checkCancellation: {})
  }
}

/// The available engines.
public enum EngineKind: String, CaseIterable, Sendable {
  /// Float32 with vector instructions on all cores.
  case fast
  /// Double precision by the operators' definitions; slow.
  case reference

  /// Creates an engine of this kind.
  ///
  /// - Parameters:
  ///   - model: the model to run; its parameters are read immediately.
  ///   - layers: the names of layers whose outputs are returned in addition to those of the model.
  ///   - precision: the precision of stored values.
  ///   - threads: the maximum number of threads of the fast engine; by default, the number of cores.
  /// - Throws: `usage` if `layers` contains an unknown name, and any error in reading the parameters.
  public func engine(
    for model: Model, keeping layers: Set<String> = [], precision: Precision = .float32,
    threads: Int? = nil
  ) throws(NetconvError) -> any Engine {
    if let open = try OpenedStates(model) {
      return try StatefulEngine(open, of: model, results: try model.results(keeping: layers)) {
        kept throws(NetconvError) in
        try stateless(for: open.model, keeping: kept, precision, threads: threads)
      }
    }
    return try stateless(for: model, keeping: layers, precision, threads: threads)
  }

  private func stateless(
    for model: Model, keeping layers: Set<String>, _ precision: Precision, threads: Int?
  ) throws(NetconvError) -> any Engine {
    switch self {
    case .fast:
      try FastEngine(model, keeping: layers, precision: precision, threads: threads)
    case .reference: try ReferenceEngine(model, keeping: layers, precision: precision)
    }
  }
}
