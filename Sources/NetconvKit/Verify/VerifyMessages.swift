import Diagnosis
import ModelIR

/// Error messages about images and labels.
extension NetconvError {
  static func severalInputsToJudge(_ inputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "has the inputs \(inputs.map { quoted($0) }.joined(separator: ", ")); verify needs one input")
  }

  static func severalOutputs(_ outputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "has the outputs \(outputs.map { quoted($0) }.joined(separator: ", ")); choose with \(.judgedOutput) which of "
        + "them the targets are for")
  }

  static func noSuchOutput(_ name: String, _ outputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "has no output \(quoted(name)) for \(.judgedOutput); it has \(outputs.map { quoted($0) }.joined(separator: ", "))"
    )
  }

  static func notClasses(_ output: String) -> NetconvError {
    NetconvError(
      .usage,
      "returns \(output) for each image; verify needs one value for each class, such as (10)")
  }

  static func notMNIST(input: String, output: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "has input \(input) and output \(output), so the built-in MNIST test set (28x28 pixels, 10 classes) "
        + "does not fit; pass your own data with \(.ownData)")
  }

  static func noImages(for setting: Remedy) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "is compared on random inputs, since the built-in MNIST test set (28x28 pixels, 10 classes) does not fit; "
        + "\(setting) needs your own data, \(.ownData)")
  }

  static func imagesDoNotFit(
    _ found: [Int], prepared: [Int], input: Shape, isSequence: Bool
  ) -> NetconvError {
    guard !isSequence else { return sequencesDoNotFit(found, input: input) }
    let sizes = input.dimensions.map { $0.map(String.init) ?? "None" }.joined(separator: ", ")
    let hint =
      prepared.count == 1 && input.count == prepared[0]
      ? "; if they are flattened row by row, numpy.reshape(x, (-1, \(sizes))) reshapes them"
      : input.channelsHint(for: prepared)
    return NetconvError(
      .usage,
      "\(found.count == 1 && input.rank == 1 ? "samples" : "images") of shape \(Shape(found))"
        + (prepared == found ? "" : ", prepared as \(Shape(prepared)),")
        + " do not fit the model's input \(input)" + (hint.isEmpty ? Self.thatShape : hint))
  }

  static func labelOutside(_ label: Int, classes: Int) -> NetconvError {
    NetconvError(
      .badData,
      "there is a label \(label), but the model has \(classes) classes, 0 to \(classes - 1); count "
        + "classes from 0, or pass data for this model")
  }

  static func nothingToRun(checked: Int) -> NetconvError {
    NetconvError(
      .usage,
      "holds weights without a graph, so they cannot be run; its \(counted(checked, "tensor is", "tensors are")) as the "
        + "manifest says"
    )
  }

  static func sequencesDoNotFit(_ found: [Int], input: Shape) -> NetconvError {
    let isTurned =
      found.count == 2 && input.isCompatible(with: Shape([found[1], found[0]]))
    return NetconvError(
      .usage,
      "samples of shape \(Shape(found)) do not fit the model's input \(input)"
        + (isTurned
          ? "; the two axes are swapped: numpy.swapaxes(x, 1, 2) swaps them back"
          : thatShape))
  }

  private static let thatShape = "; pass samples of that shape"
}

/// Error messages about metrics.
extension NetconvError {
  static func needsMetric(_ setting: Remedy, _ metrics: String) -> NetconvError {
    NetconvError(.usage, text: "\(setting) needs \(.metric) \(metrics)")
  }

  static func noQuantities(_ metric: Metric) -> NetconvError {
    NetconvError(
      .usage,
      text: "\(.metric) \(metric.rawValue) needs samples with targets of your own, \(.ownData)")
  }

  static func numbersAreNoClasses(_ layer: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "returns one number, from layer \(quoted(layer)), and the targets are not all 0 or 1; for a quantity pass "
        + "\(.metric) mae, mse, rmse or r2")
  }

  static var unknownThreshold: NetconvError {
    NetconvError(
      .usage,
      text:
        "returns one number, and its last layer does not imply a threshold for class 1; pass \(.threshold) T, or for "
        + "a quantity \(.metric) mae, mse, rmse or r2")
  }

  static func noThreshold(classes: Int) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "returns a value for each of \(classes) classes, of which the largest counts; \(.threshold) is for networks with "
        + "one value")
  }

  static var probabilityOfOneClass: NetconvError {
    NetconvError(
      .usage,
      "returns the softmax of a single value, which is always 1; a sigmoid was probably meant")
  }

  static var noPixelsToPrepare: NetconvError {
    NetconvError(
      .usage,
      text: "leave out \(.findsPreparation), which needs images with one class each")
  }

  static var quantitiesAreClasses: NetconvError {
    NetconvError(
      .usage,
      text: "the targets and the model's outputs are classes; pass \(.metric) accuracy"
    )
  }

  static func targetsDoNotFit(
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

  static func targetsNotFinite(_ value: Double, sample: Int, count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the target of sample \(sample) holds \(numeral(value)), and \(count) "
        + "\(count == 1 ? "target is" : "targets are") not finite in all; leave out samples without a target"
    )
  }

  static var tooFewForR2: NetconvError {
    NetconvError(
      .badData,
      text: "one sample has no coefficient of determination; pass \(.metric) mae, mse or rmse")
  }

  static func constantTarget(_ value: Double, at place: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "the targets at \(place) of every sample are \(numeral(value)), so r2 is undefined; pass "
        + "\(.metric) mae, mse or rmse")
  }
}

extension Event {
  static func outputDrift(_ name: String, _ difference: Difference) -> Event {
    .warning(
      "each layer is right on its own, but the output \(quoted(name)) is off by up to "
        + "\(significant(difference.maximumAbsolute)), where its largest value is "
        + "\(significant(difference.expectedMaximum)); run it with the other engine, and if that is right, "
        + "report this: netconv may be wrong",
      details: [])
  }

  static func takenForLogit(_ output: String) -> Event {
    .warning(
      "the network has no final activation, so \(quoted(output)) is assumed to be a logit; pass \(.threshold) 0 if it is one, "
        + "\(.threshold) 0.5 if it was trained to return 0 and 1, and for a quantity \(.metric) mae, mse, rmse or r2",
      details: [])
  }

  static func maskedStepsCount(_ layer: String) -> Event {
    .warning(
      "the network masks steps, in \(quoted(layer)); every step counts here, including masked steps, which "
        + "Keras's own metrics leave out",
      details: [])
  }
}
