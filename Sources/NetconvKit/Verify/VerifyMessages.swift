import Diagnosis
import ModelIR

/// Error messages about images and labels.
extension NetconvError {
  static func noSuchOutput(_ name: String, _ outputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "has no output \(quoted(name)) for \(.judgedOutput); it has \(outputs.quotedList)"
    )
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
  static var probabilityOfOneClass: NetconvError {
    NetconvError(
      .usage,
      "returns the softmax of a single value, which is always 1; a sigmoid was probably meant")
  }
}

extension Event {
  static func maskedStepsCount(_ layer: String) -> Event {
    .warning(
      "the network masks steps, in \(quoted(layer)); every step counts here, including masked steps, which "
        + "Keras's own metrics leave out",
      details: [])
  }
}
