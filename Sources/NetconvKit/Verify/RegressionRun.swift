import Datasets
import Execution
import ModelIR

/// A run of a model of quantities on samples with targets.
struct RegressionRun {
  /// The errors of the predictions.
  let part: VerifyReport.Regression.Part
  let samples: LabeledImages
  /// The model that was run.
  let predictor: Predictor

  /// Runs a model on samples in memory.
  ///
  /// - Throws: `usage` if it predicts classes or the targets have another shape, `badData` or `interrupted`.
  init(
    _ predictor: Predictor, on samples: LabeledImages, _ metric: Metric, _ request: VerifyRequest,
    _ observer: Observer
  ) throws(NetconvError) {
    self.samples = samples
    let (predictor, event) = Self.ordered(predictor, for: samples.targets)
    self.predictor = predictor
    do throws(NetconvError) {
      do {
        try Self.check(samples.targets, predictor)
      } catch {
        throw error.inFile(request.data.paths?.labels ?? request.path)
      }
      observer.onEvent(.fallbacks(of: predictor.engine))
      if let event { observer.onEvent(event) }
      if let layer = predictor.stepMask { observer.onEvent(.maskedStepsCount(layer)) }
      let width = samples.targets.size
      let (spread, constant) = TargetSpread.of(
        samples.targets, request.count(of: samples), keepsOutputs: metric == .r2)
      do {
        try Self.check(spread, constant, metric, predictor.outputShape)
      } catch {
        throw error.inFile(request.data.paths?.labels ?? request.path)
      }
      var errors = RegressionErrors(width: width, targets: spread)
      let seconds = try predictor.run(request.range(of: samples), of: samples, observer) {
        batch throws(NetconvError) in
        let outputs = try predictor.outputs(for: batch, in: samples, observer)
        for sample in batch {
          let start = (sample - batch.lowerBound) * width
          errors.note(
            sample, outputs[start..<start + width],
            samples.targets.values[sample * width..<(sample + 1) * width])
        }
      }
      part = VerifyReport.Regression.Part(
        errors: errors, metric: metric, dataset: samples.name,
        pixels: PixelPreparation.Part(predictor.preparation), axes: predictor.feed.order?.order,
        sampleShape: samples.imageShape, inputShape: predictor.feed.sampleShape,
        outputShape: predictor.outputShape, targetShape: samples.targets.shape,
        maximumError: request.maximumError, minimumR2: request.minimumR2,
        allowsNotFinite: request.allowsNotFinite, seconds: seconds)
    } catch {
      throw error.inFile(request.path)
    }
  }

  /// Returns the model with its output in the targets' order of axes, and a remark for the user.
  private static func ordered(
    _ predictor: Predictor, for targets: Targets
  ) -> (Predictor, Event?) {
    guard predictor.hasChannelsFirst else { return (predictor, nil) }
    let last = predictor.withChannelsLast
    guard targets.fit(last.outputShape) else { return (predictor, nil) }
    guard targets.fit(predictor.outputShape) else { return (last, .targetsWithChannelsLast) }
    return (predictor, targets.size > 1 ? .targetsOfEitherOrder : nil)
  }

  /// Checks that targets are quantities, one for each value of the output.
  private static func check(_ targets: Targets, _ predictor: Predictor) throws(NetconvError) {
    let output = predictor.outputShape
    guard targets.fit(output) else {
      throw .targetsDoNotFit(
        [targets.count] + targets.shape, output: output,
        areClasses: predictor.kind == .probabilities)
    }
    if let index = targets.values.firstIndex(where: { !$0.isFinite }) {
      throw .targetsNotFinite(
        targets.values[index], sample: index / max(1, targets.size),
        count: targets.values.count { !$0.isFinite })
    }
    switch predictor.kind {
    case .probabilities where output.last == 1: throw .probabilityOfOneClass
    case .probabilities where targets.areRowsOfClasses: throw .quantitiesAreClasses
    case .fractions where targets.size == 1 && targets.values.allSatisfy { $0 == 0 || $0 == 1 }:
      throw .quantitiesAreClasses
    default: break
    }
  }

  /// Checks that a metric is defined for these targets.
  private static func check(
    _ spread: TargetSpread, _ constant: (place: Int, value: Double)?, _ metric: Metric,
    _ output: [Int]
  ) throws(NetconvError) {
    guard metric == .r2 else { return }
    guard spread.count > 1 else { throw .tooFewForR2 }
    if let (place, value) = constant {
      throw .constantTarget(value, at: output.place(at: place))
    }
  }
}

extension Targets {
  /// True if there is one target for each value of the output.
  ///
  /// A trailing axis of size 1 may be missing or superfluous. Nothing is broadcast, unlike in NumPy.
  fileprivate func fit(_ output: [Int]) -> Bool {
    shape == output || shape + [1] == output || shape == output + [1]
  }
}

extension [Int] {
  /// Returns the index along each axis of a value, given its index in C order.
  package func place(at index: Int) -> [Int] {
    var rest = index
    var place: [Int] = []
    for size in reversed() {
      place.insert(rest % size, at: 0)
      rest /= size
    }
    return place
  }
}

extension NetconvError {
  fileprivate static var quantitiesAreClasses: NetconvError {
    NetconvError(
      .usage,
      text: "the targets and the model's outputs are classes; pass \(.metric) accuracy"
    )
  }

  fileprivate static func targetsDoNotFit(
    _ found: [Int], output: [Int], areClasses: Bool
  ) -> NetconvError {
    let expected = Shape(found.prefix(1) + output)
    return NetconvError(
      .usage,
      text:
        "the targets have shape \(Shape(found)), expected \(expected), one for each value of the output; "
        + (areClasses
          ? "the outputs are probabilities, so for classes pass \(.metric) accuracy"
          : "targets are not broadcast, except that a last axis of size 1 may be missing or added")
    )
  }

  fileprivate static func targetsNotFinite(_ value: Double, sample: Int, count: Int) -> NetconvError
  {
    NetconvError(
      .badData,
      "the target of sample \(sample) holds \(numeral(value)), and \(count) "
        + "\(count == 1 ? "target is" : "targets are") not finite in all; leave out samples without a target"
    )
  }

  fileprivate static var tooFewForR2: NetconvError {
    NetconvError(
      .badData,
      text: "one sample has no coefficient of determination; pass \(.metric) mae, mse or rmse")
  }

  fileprivate static func constantTarget(_ value: Double, at place: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "the targets at \(place) of every sample are \(numeral(value)), so r2 is undefined; pass "
        + "\(.metric) mae, mse or rmse")
  }
}

extension Event {
  fileprivate static let targetsWithChannelsLast = Event.warning(
    "the targets have channels last; they were compared with the outputs in that order",
    details: [])

  fileprivate static let targetsOfEitherOrder = Event.warning(
    "the targets fit with channels first and with channels last; channels first was assumed, "
      + "as in the source", details: [])
}
