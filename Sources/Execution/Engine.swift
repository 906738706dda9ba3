import ModelIR

/// Something that runs a model.
public protocol Engine: Sendable {
  /// The layers that run as they are defined because the engine has no better way, by name.
  var fallbacks: [String] { get }

  /// Runs the model on a batch.
  ///
  /// - Parameters:
  ///   - inputs: by the name of the input; the first axis is the batch, the others fit the model's shapes.
  ///     A size that the model leaves open is as in the array.
  ///   - checkCancellation: asked between the layers, by any thread; may throw to stop.
  /// - Returns: the model's outputs and the layers kept, by the name of the layer; the first axis is the
  ///   batch.
  /// - Throws: `usage` if the inputs do not fit the model, or need more memory than is sane.
  func run(
    _ inputs: [String: NDArray<Float>],
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> [String: NDArray<Float>]

  /// Has stateful layers begin with zeros again: what is run next goes on from nothing.
  func resetStates()
}

extension Engine {
  /// Most models keep nothing from one run to the next.
  public func resetStates() {}

  /// Runs the model on a batch, to the end.
  ///
  /// - Throws: `usage` if the inputs do not fit the model, or need more memory than is sane.
  public func run(
    _ inputs: [String: NDArray<Float>]
  ) throws(NetconvError) -> [String: NDArray<Float>] {
    try run(inputs, checkCancellation: {})
  }
}

/// The engines to choose from.
public enum EngineKind: String, CaseIterable, Sendable {
  /// Float32 with the CPU's vectors and all its cores.
  case fast
  /// Double, each operator as it is defined; slow.
  case reference

  /// An engine of this kind.
  ///
  /// - Parameters:
  ///   - model: what to run; its parameters are read now.
  ///   - layers: names of layers whose outputs are returned besides those of the model.
  ///   - precision: where values are rounded.
  ///   - threads: how many the fast engine uses at most; by default, as many as there are cores.
  /// - Throws: `usage` if `layers` names none of the model's, and what reading the parameters throws.
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
