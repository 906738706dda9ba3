import Execution
import Lowering
import ModelIR
import Operators

/// A second run in which every layer has floating-point errors; see ``CumulativeTolerance``.
struct DisturbedRun {
  let precision: Precision
  /// The largest distance of the last layer's values from the exact ones; `nil` if the precision
  /// cannot hold them.
  private(set) var distance: Double?
  private var values: [String: NDArray<Double>] = [:]
  private var growths: [String: Double] = [:]
  /// The names of masks, whose values are exact in every precision.
  private var masks: Set<String> = []
  private let sample: Int
  private let rounding: HalfRounding?

  /// Creates a run from the exact `inputs` of one sample.
  init(
    _ model: Model, _ precision: Precision, _ inputs: [String: NDArray<Double>], sample: Int
  ) {
    self.precision = precision
    self.sample = sample
    rounding = HalfRounding(precision, model)
    let exact = model.inputsReadExactly
    for (index, input) in inputs.sorted(by: { $0.key < $1.key }).enumerated() {
      var disturbance = Disturbance(precision, layer: -1 - index, sample: sample)
      values[input.key] =
        precision == .float32 || exact.contains(input.key) || Self.isBinary(input.value)
        ? input.value : disturbance.disturb(input.value, isStored: true)
      growths[input.key] = precision == .float32 ? 0 : halfRoundoff
    }
  }

  /// The floor of a layer's tolerance, relative to its largest magnitude.
  func growth(of layer: Layer) -> Double { growths[layer.name] ?? 0 }

  /// The output of `layer` with errors; `nil` if it is exact, or if an input is unknown.
  func output(
    of layer: Layer, _ index: Int, _ parameters: [ParameterRole: NDArray<Double>], fanIn: Int
  ) throws(NetconvError) -> NDArray<Double>? {
    guard !isMask(layer) else { return nil }
    var disturbance = Disturbance(precision, layer: index, sample: sample)
    // The errors of a kernel in half precision, including the intermediate values of a separable
    // convolution.
    let ofKernel =
      rounding == nil
      ? 0 : halfRoundoff * Double(layer.parameters.filter { $0.spec.kind != .vector }.count)
    var inputs: [NDArray<Double>] = []
    for (place, name) in layer.inputs.enumerated() {
      guard let value = values[name] else { return nil }
      // An operator that compares its input with a number needs the exact value. Behind queries, keys and values are
      // masks, of which any number but 0 is true.
      inputs.append(
        layer.operation.needsExactInput || place > 2 && Self.isBinary(value)
          ? value : disturbance.disturb(value, by: Self.roundoff(ofSum: fanIn) + ofKernel))
    }
    return disturbance.disturb(
      try layer.operation.evaluate(inputs, parameters), isStored: isStored(layer))
  }

  /// Continues with `output` for a layer whose exact output is `exact`.
  mutating func follow(
    _ layer: Layer, _ exact: NDArray<Double>, _ output: NDArray<Double>?, fanIn: Int
  ) {
    distance = nil
    let roundoff = precision == .float32 || !isStored(layer) ? singleRoundoff : halfRoundoff
    let before = layer.inputs.reduce(0) { max($0, growths[$1] ?? 0) }
    let (own, ofSum) = (4 * roundoff, Self.roundoff(ofSum: fanIn))
    growths[layer.name] = (before * before + own * own + ofSum * ofSum).squareRoot()
    if isMask(layer) {
      masks.insert(layer.name)
      values[layer.name] = exact
      distance = 0
      return
    }
    guard let output else { return }
    if rounding != nil, isStored(layer),
      exact.values.contains(where: { abs($0) >= Self.halfLimit })
    {
      return
    }
    values[layer.name] = output
    distance = zip(output.values, exact.values).reduce(0) { largest, pair in
      let difference = abs(pair.0 - pair.1)
      return difference.isFinite ? max(largest, difference) : largest
    }
  }

  private func isStored(_ layer: Layer) -> Bool { rounding?.stores(layer.name) ?? true }

  /// True if the layer's outputs are masks of steps, zeros and ones.
  private func isMask(_ layer: Layer) -> Bool {
    layer.operation is any StepMarkingOperator
      || layer.operation.combinesMasks && layer.inputs.allSatisfy(masks.contains)
  }

  /// Returns true if all values are 0 or 1, which every precision holds exactly.
  private static func isBinary(_ array: NDArray<Double>) -> Bool {
    array.values.allSatisfy { $0 == 0 || $0 == 1 }
  }

  private static func roundoff(ofSum fanIn: Int) -> Double {
    singleRoundoff * Double(fanIn).squareRoot()
  }

  mutating func forget(_ name: String) { values[name] = nil }

  /// The largest magnitude that is certainly finite in half precision, including errors.
  private static let halfLimit = 60_000.0
}

extension Operator {
  /// True if inputs of zeros and ones give outputs of zeros and ones.
  fileprivate var combinesMasks: Bool { valueEffect != .computed || self is any MergeOperator }
}
