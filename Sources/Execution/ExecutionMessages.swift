internal import Memory
import ModelIR

/// The texts of all errors that this module throws.
extension NetconvError {
  static func unknownLayer(_ name: String, model: Model) -> NetconvError {
    NetconvError(
      .usage, "the model has no layer \(quoted(name)); it has",
      details: model.computedNames.map { quoted($0) })
  }

  static let statefulLayer = NetconvError(
    .usage,
    "the layer continues another sequence, whose state this engine does not keep; "
      + "EngineKind.engine(for:) makes one that does")

  static func openState(_ shape: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "the layer is stateful, and its state has the shape \(shape), which must be fully known")
  }

  static func missingInput(_ input: ModelInput) -> NetconvError {
    NetconvError(
      .usage,
      "there is no array for the input \(quoted(input.name)), which has shape \(input.shape)")
  }

  static func unknownInput(_ name: String, model: Model) -> NetconvError {
    let names = model.inputs.map { quoted($0.name) }.joined(separator: ", ")
    return NetconvError(.usage, "the model has no input \(quoted(name)); it has \(names)")
  }

  static func wrongInputShape(_ shape: [Int], expected input: ModelInput) -> NetconvError {
    let expected = Shape([nil] + input.shape.dimensions)
    return NetconvError(
      .usage,
      "the array for the input \(quoted(input.name)) has shape \(Shape(shape)), expected "
        + "\(expected), where the first axis is the batch"
        + input.shape.channelsHint(for: Array(shape.dropFirst())))
  }

  static func emptyInput(_ shape: [Int], _ input: ModelInput) -> NetconvError {
    NetconvError(
      .usage,
      "samples for the input \(quoted(input.name)) have shape \(Shape(shape)), expected no axis of size 0"
    )
  }

  static func differentBatches(
    _ first: ModelInput, _ firstCount: Int, _ second: ModelInput, _ secondCount: Int
  ) -> NetconvError {
    NetconvError(
      .usage,
      "the array for the input \(quoted(first.name)) holds \(samples(firstCount)), the one for "
        + "\(quoted(second.name)) holds \(samples(secondCount)); all must hold the same number")
  }

  static func emptyLayer(_ shape: Shape, inputs: [Shape]) -> NetconvError {
    let inputs = inputs.map(\.description).joined(separator: " and ")
    return NetconvError(
      .usage,
      "the output would have shape \(shape), which is empty; the input \(inputs) is too small")
  }

  static func unknownLayerSize(_ shape: Shape) -> NetconvError {
    NetconvError(
      .usage,
      "the output has shape \(shape), whose size does not follow from the inputs; fix it in the model"
    )
  }

  static func planTooLarge(samples count: Int) -> NetconvError {
    NetconvError(
      .usage,
      "running \(samples(count)) needs more than \(MemoryBound.description); run on "
        + "smaller batches or smaller inputs, or keep fewer layers")
  }

  static func runTooLarge(_ bytes: Int, available: MemoryLimit, samples count: Int) -> NetconvError
  {
    NetconvError(
      .usage,
      "running \(samples(count)) needs \(byteText(bytes)) of memory, and there are "
        + "\(available.rest); run on smaller batches or smaller inputs")
  }

  static func parametersTooLarge(_ bytes: Int, available: MemoryLimit) -> NetconvError {
    NetconvError(
      .usage,
      "loading the parameters needs \(byteText(bytes)) of memory, and there are "
        + "\(available.rest); run the model on a machine with more")
  }
}
