import ModelIR

/// The wording of every error about images and labels.
extension NetconvError {
  static func notImageClassifier(_ inputs: [String], _ outputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "has the inputs \(inputs.map { escaped($0) }.joined(separator: ", ")) and the outputs "
        + "\(outputs.map { escaped($0) }.joined(separator: ", ")); verify needs one input and one output"
    )
  }

  static func notClasses(_ output: String) -> NetconvError {
    NetconvError(
      .usage,
      "gives \(output) for each image; verify needs one value for each class, as in (10)")
  }

  static func notMNIST(input: String, output: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "takes \(input) and gives \(output), so the built-in MNIST test set (28x28 pixels, 10 classes) "
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
    _ found: [Int], prepared: [Int], input: Shape
  ) -> NetconvError {
    let sizes = input.dimensions.map { $0.map(String.init) ?? "None" }.joined(separator: ", ")
    return NetconvError(
      .usage,
      "images of shape \(Shape(found))"
        + (prepared == found ? "" : ", prepared as \(Shape(prepared)),")
        + " do not fit the model's input \(input)" + input.channelsHint(for: prepared)
        + (prepared.count == 1 && input.count == prepared[0]
          ? "; if they are flattened row by row, numpy.reshape(x, (-1, \(sizes))) brings them into shape"
          : ""))
  }

  static func labelOutside(_ label: Int, classes: Int) -> NetconvError {
    NetconvError(
      .badData,
      "there is a label \(label), but the model has \(classes) classes, 0 to \(classes - 1)")
  }

  static func nothingToRun(checked: Int) -> NetconvError {
    NetconvError(
      .usage,
      "holds weights without a graph, so that they cannot be run"
        + (checked > 0 ? "; its \(checked) tensors are as the manifest says" : ""))
  }
}
