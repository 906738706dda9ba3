import Execution
import ModelIR

/// The search for a mistake among layers of which nothing is known, in front of one that is not what it should be.
///
/// Each known mistake is mended in turn: in all layers where the same may have been done wrong, and in each of them
/// alone. Then the network is run on to the layer of which something is known.
struct GapSearch {
  /// The layers from what is known to the one that is wrong.
  private let part: Model
  /// The right output of that one, for a few samples.
  private let right: NDArray<Float>
  /// The layers as they are, with what they read and gave for these samples.
  private var cases: [LayerCase] = []
  private var values: [String: NDArray<Float>]
  private let engine: EngineKind
  private let checkCancellation: @Sendable () throws(NetconvError) -> Void

  /// So many values of the output that is known tell by chance nothing.
  private static let fewestValues = 16
  /// So many changes are tried, of a large network fewer.
  private static let trialCounts = 64...1500
  /// Parameters that are read in all trials together.
  private static let mostParameters = 3_000_000_000
  /// Of a layer, so many changes: the likeliest.
  private static let mostRepairs = 40
  /// A change that explains what was found leaves so small a part of it.
  private static let remainder = 1.0 / 64
  /// All layers in front of the wrong one together may be so many tolerances of that one off.
  private static let room = 64.0

  /// A change of one layer, or of several alike.
  private struct Trial {
    var repairs: [Int: Repair]
  }

  /// Runs the layers of `part`, which has one output.
  ///
  /// - Parameters:
  ///   - inputs: what is known, by the names of the part's inputs.
  ///   - modelInputs: which of them are inputs of the whole network.
  ///   - right: what the output should be.
  /// - Throws: what running a layer throws, or `interrupted`.
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
  /// - Parameter tolerance: of the layer that gives the output.
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

  // MARK: - What is tried

  /// Changes of pixels, which are few, then those of layers.
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

  /// The same change in all layers, then changes of single layers, the likeliest first.
  ///
  /// - Parameter all: the changes of each layer.
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

  /// The output of the last layer after a change; `nil` if a layer cannot be run then.
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
  /// At most the first `count` samples.
  fileprivate func first(_ count: Int) -> NDArray<Float> {
    guard let batch = shape.first, batch > count else { return self }
    return samples(0..<count)
  }
}
