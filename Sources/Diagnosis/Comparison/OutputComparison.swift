import Execution
import Lowering
import ModelIR

/// The output of a whole network compared with the output of another program for the same input.
///
/// The layers in between have no reference values. The tolerance is therefore that of the whole
/// network: the error of floating point, ``CumulativeTolerance``, plus the rounding of the written
/// parameters.
public struct OutputComparison: Sendable {
  /// The distance from the expected output.
  public let difference: Difference
  /// The allowed distance; `nil` if the precision cannot hold the intermediate values.
  public let tolerance: Double?

  /// True if the output is within its tolerance.
  public var passed: Bool {
    difference.mismatchedNonFinite == 0 && difference.isKnown
      && tolerance.map { difference.maximumAbsolute <= $0 } ?? false
  }

  /// Runs `model`, which has one input and one output, with initial states of zero.
  ///
  /// - Parameters:
  ///   - model: The examined model.
  ///   - input: The input; the first axis is the batch.
  ///   - expected: The other program's output; all values are finite.
  /// - Throws: `usage` if the model does not accept the input or returns another number of values,
  ///   `interrupted`.
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
  /// The model with a rounding error of random sign in every value that was written in a type
  /// narrower than float32; `nil` if there is no such value.
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
