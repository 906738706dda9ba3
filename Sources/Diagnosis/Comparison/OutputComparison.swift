import Execution
import ModelIR

/// The output of a whole network compared with what another program computed from the same input.
///
/// Nothing is known of the layers in between, so that the tolerance is that of all of them together: what floating point
/// may make of the network, ``CumulativeTolerance``, and what was rounded off its parameters when they were written.
public struct OutputComparison: Sendable {
  /// The distance of the output from what it should be.
  public let difference: Difference
  /// The largest distance that is right; `nil` where the precision cannot hold the values that it depends on.
  public let tolerance: Double?

  /// Whether it is within its tolerance.
  public var passed: Bool {
    difference.mismatchedNonFinite == 0 && difference.isKnown
      && tolerance.map { difference.maximumAbsolute <= $0 } ?? false
  }

  /// Runs `model`, which has one input and one output, from zeros on.
  ///
  /// - Parameters:
  ///   - model: what is examined.
  ///   - input: the first axis is the batch.
  ///   - expected: the output of the other program; all finite.
  /// - Throws: `usage` if the model does not take the input or gives another number of values, `interrupted`.
  public init(
    of model: Model, on input: NDArray<Float>, with expected: NDArray<Float>,
    _ options: ComparisonOptions,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) {
    let (inputName, outputName) = (model.inputs[0].name, model.outputs[0])
    let inputs = [inputName: input]
    func output(_ model: Model, _ precision: Precision) throws(NetconvError) -> NDArray<Float>? {
      try options.engine.engine(for: model, precision: precision).run(
        inputs, checkCancellation: checkCancellation)[outputName]
    }
    let fresh = try model.withFreshStates()
    let array = try output(fresh, options.precision)
    guard let found = array, found.count == expected.count else {
      throw NetconvError.otherShape(array?.shape ?? [], expected: expected.shape).inLayer(
        outputName)
    }
    difference = Difference(found.values, from: expected.values)
    if let relative = options.relativeTolerance {
      tolerance = relative * difference.expectedMaximum
      return
    }
    let run = try ExactRun(fresh)
    let exact = try run.run(inputs, checkCancellation: checkCancellation) { _, _ in }
    let place = run.model.layers.firstIndex { $0.name == outputName }
    let ofRun = place.flatMap { exact[$0].tolerance[options.precision] }
    var ofParameters = 0.0
    if let rounded = try fresh.withParametersRoundedOnceMore(),
      let moved = try output(rounded, .float32), let plain = try output(fresh, .float32)
    {
      ofParameters = 4 * Difference(moved.values, from: plain.values).maximumAbsolute
    }
    tolerance = ofRun.map { $0 + ofParameters }
  }
}

extension Model {
  /// The model with every value that was written in a type narrower than float32 moved by what that may have rounded off
  /// it, in a random direction; `nil` if there is none.
  fileprivate func withParametersRoundedOnceMore() throws(NetconvError) -> Model? {
    let isNarrow = { (tensor: Tensor) in
      ![.float32, .float64].contains(tensor.stored.source.elementType)
    }
    guard tensors.contains(where: isNarrow) else { return nil }
    var random = RandomSigns(seed: 0x726f_756e)
    return try mapTensors { tensor throws(NetconvError) in
      guard isNarrow(tensor) else { return tensor }
      var parameter = try LayerCase.Parameter(tensor)
      parameter.round(to: parameter.elementType, &random)
      return try Tensor(
        layer: tensor.layer, spec: tensor.spec,
        stored: StoredTensor(
          source: ArraySource(parameter.values.values), layout: tensor.spec.layout, shape: nil,
          path: tensor.stored.path))
    }
  }
}
