import Execution
import ModelIR

/// The search for a mistake in layers without reference values, before a layer whose output is
/// wrong.
///
/// Each known mistake is corrected in turn: in all layers where it may occur, and in each of them
/// alone. Then the network runs up to the layer whose output is known.
struct GapSearch {
  /// The layers from the known values to the wrong output.
  private let part: Model
  /// The expected output for a few samples.
  private let right: NDArray<Float>
  /// The layers of `part` with their inputs for these samples.
  private var cases: [LayerCase] = []
  private var values: [String: NDArray<Float>]
  private let engine: EngineKind
  private let checkCancellation: @Sendable () throws(NetconvError) -> Void

  /// The number of output values that rules out a match by chance.
  private static let fewestValues = 16
  /// The limits on the number of trials; large networks get fewer.
  private static let trialCounts = 64...1500
  /// The limit on the parameters that are read in all trials together.
  private static let mostParameters = 3_000_000_000
  /// The limit on the trials per layer, in order of likelihood.
  private static let mostRepairs = 40
  /// The largest fraction of the error that may remain if a change explains it.
  private static let remainder = 1.0 / 64
  /// The allowed error of all layers before the wrong one, in tolerances of that layer.
  private static let room = 64.0

  /// A change of one layer, or the same change of several.
  private struct Trial {
    var repairs: [Int: Repair]
  }

  /// Runs the layers of `part`, which has one output.
  ///
  /// - Parameters:
  ///   - inputs: The known values, by the names of the part's inputs.
  ///   - modelInputs: The names of the inputs of the whole network.
  ///   - right: The expected output.
  /// - Throws: An error if a layer cannot be run, or `interrupted`.
  init(
    _ part: Model, _ inputs: [String: NDArray<Float>], modelInputs: Set<String>,
    right: NDArray<Float>, origins: [String: [ParameterRole: LayerCase.DeclaredLayout]],
    engine: EngineKind,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) {
    self.part = part
    let batch = max(1, right.shape.first ?? 1)
    let samples = min(batch, 1 + Self.fewestValues * batch / max(1, right.count))
    self.right = right.first(samples)
    self.engine = engine
    self.checkCancellation = checkCancellation
    values = inputs.mapValues { $0.first(samples) }
    for layer in part.layers {
      let layerCase = try LayerCase(
        layer, inputs: layer.inputs.compactMap { values[$0] }, modelInputs: modelInputs,
        samples: samples, origins: origins[layer.name] ?? [:])
      values[layer.name] = try layerCase.output(engine, checkCancellation: checkCancellation)
      cases.append(layerCase)
    }
  }

  /// The change that makes the output right; `nil` if none does.
  ///
  /// - Parameter tolerance: The tolerance of the layer with the output.
  /// - Throws: `interrupted`.
  func explanation(tolerance: Double) throws(NetconvError) -> Explanation? {
    guard let last = part.layers.last, let found = values[last.name], found.shape == right.shape
    else { return nil }
    let before = Difference(found.values, from: right.values)
    let distance = before.mismatchedNonFinite == 0 ? before.maximumAbsolute : .infinity
    var nearest = min(Self.room * tolerance, Self.remainder * distance)
    var best: Trial?
    let parameters = part.layers.flatMap(\.parameters).reduce(1) { $0 + $1.count }
    let limits = Self.trialCounts
    let limit = max(limits.lowerBound, min(limits.upperBound, Self.mostParameters / parameters))
    for trial in trials.prefix(limit) {
      try checkCancellation()
      guard let output = try output(of: trial), output.shape == right.shape else { continue }
      let difference = Difference(output.values, from: right.values)
      guard difference.mismatchedNonFinite == 0, difference.isKnown,
        difference.maximumAbsolute < nearest
      else { continue }
      best = trial
      nearest = difference.maximumAbsolute
    }
    return best.map { explanation($0, remaining: nearest) }
  }

  private func explanation(_ trial: Trial, remaining: Double) -> Explanation {
    let places = trial.repairs.keys.sorted()
    let names = places.map { quoted(part.layers[$0].name) }
    let listed = 3
    let more = names.count > listed ? " and \(names.count - listed) more" : ""
    let repair = trial.repairs[places[0]] ?? Repair(.changedValues, "", advice: "") { _ in }
    var explanation = Explanation(
      repair: repair.explaining("in " + names.prefix(listed).joined(separator: ", ") + more),
      remaining: remaining)
    explanation.layers = places.map { part.layers[$0].name }
    return explanation
  }

  // MARK: - Trials

  /// Changes of the preprocessing, which are few, then changes of layers.
  private var trials: [Trial] {
    var (ofPixels, others): ([[Repair]], [[Repair]]) = ([], [])
    for (index, layerCase) in cases.enumerated() {
      let evidence = Evidence(expected: nil, output: values[part.layers[index].name] ?? right)
      let repairs = Mistakes.all.flatMap { $0.repairs(of: layerCase, evidence) }
      let isOfPixels = { (repair: Repair) in
        repair.kind == .inputScale && !layerCase.modelInputs.isEmpty
      }
      ofPixels.append(repairs.filter(isOfPixels))
      others.append(Array(repairs.filter { !isOfPixels($0) }.prefix(Self.mostRepairs)))
    }
    return Self.trials(of: ofPixels) + Self.trials(of: others)
  }

  /// The same change in all layers, then changes of single layers in order of likelihood.
  ///
  /// - Parameter all: The changes of each layer.
  private static func trials(of all: [[Repair]]) -> [Trial] {
    var common: [(words: String, trial: Trial)] = []
    var places: [String: Int] = [:]
    var single: [Trial] = []
    for rank in 0..<(all.map(\.count).max() ?? 0) {
      for (index, repairs) in all.enumerated() where rank < repairs.count {
        let repair = repairs[rank]
        single.append(Trial(repairs: [index: repair]))
        let place = places[repair.finding] ?? common.count
        if place == common.count {
          places[repair.finding] = place
          common.append((repair.finding, Trial(repairs: [:])))
        }
        if common[place].trial.repairs[index] == nil {
          common[place].trial.repairs[index] = repair
        }
      }
    }
    return common.map(\.trial).filter { $0.repairs.count > 1 } + single
  }

  /// The output of the last layer after a change; `nil` if a layer cannot run then.
  ///
  /// - Throws: `interrupted`.
  private func output(of trial: Trial) throws(NetconvError) -> NDArray<Float>? {
    guard let first = trial.repairs.keys.min() else { return nil }
    var changed = values
    var moved: Set<String> = []
    do throws(NetconvError) {
      for (index, layer) in part.layers.enumerated().dropFirst(first) {
        let repair = trial.repairs[index]
        guard repair != nil || layer.inputs.contains(where: moved.contains) else { continue }
        var layerCase = cases[index]
        layerCase.inputs = layer.inputs.compactMap { changed[$0] }
        if let repair { layerCase = try repair.applied(to: layerCase) }
        changed[layer.name] = try layerCase.output(
          engine, checkCancellation: checkCancellation)
        moved.insert(layer.name)
      }
    } catch {
      guard error.kind != .interrupted else { throw error }
      return nil
    }
    return part.layers.last.flatMap { changed[$0.name] }
  }
}

extension NDArray<Float> {
  /// The first `count` samples, or all if there are fewer.
  fileprivate func first(_ count: Int) -> NDArray<Float> {
    guard let batch = shape.first, batch > count else { return self }
    return samples(0..<count)
  }
}
