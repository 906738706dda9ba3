import ModelIR
import Operators

/// The wording of every error that this module throws.
extension NetconvError {
  static func notWritten(_ layers: [Message], in language: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "\(layers.count) \(layers.count == 1 ? "layer" : "layers") cannot be written in \(language)",
      list: layers)
  }

  static func notInLanguage(_ layers: [Message]) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "\(layers.count) \(layers.count == 1 ? "layer" : "layers") cannot be expressed in the model language",
      list: layers)
  }

  static func noWord(_ name: String) -> NetconvError {
    NetconvError(.badData, "the language cannot express this \(name)")
  }

  static func noKernel(_ name: String) -> NetconvError {
    NetconvError(.badData, "there is no kernel for \(name)")
  }

  static func noNeuron(_ function: ActivationFunction) -> NetconvError {
    NetconvError(.badData, "there is no neuron for \(function.text)")
  }

  static func sizeOpen(_ shape: Shape) -> NetconvError {
    NetconvError(.badData, "the shape \(shape) is open; give it a fixed size in the source")
  }

  static func noImage(_ shape: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "the shape \(shape) is neither an image nor a vector"
        + (shape.rank == 2 ? "; MPSGraph has convolution and pooling of sequences" : ""))
  }

  static func groups(_ groups: Int, of channels: Int, _ outputs: Int) -> NetconvError {
    NetconvError(
      .badData,
      "\(groups) groups of \(channels / groups) channels to \(outputs / groups); both have to be multiples of 4"
    )
  }

  static func multiplier(_ multiplier: Int) -> NetconvError {
    NetconvError(.badData, "a depth multiplier of \(multiplier); it has to be 1")
  }

  static func tooManyChannels(_ shape: ImageShape) -> NetconvError {
    NetconvError(
      .badData, "an image of \(shape); it can have \(ImageShape.mostChannels) channels at most")
  }

  static var normalizationNotOverChannels: NetconvError {
    NetconvError(.badData, "a normalisation of other axes than an image's channels")
  }

  static func notAnInput(_ name: String, _ problem: NetconvError) -> NetconvError {
    NetconvError(.badData, text: "input \(quoted(name)): \(problem.text)")
  }

  static func inputAsOutput(_ name: String) -> NetconvError {
    NetconvError(.badData, "the output \(quoted(name)) is the unchanged input; no kernel writes it")
  }

  static func noOperation(_ layer: Layer) -> NetconvError {
    NetconvError(
      .badData,
      "there is no operation for \(type(of: layer.operation).name)"
        + (DSLPhrase.exists(for: layer)
          ? "; the model language supports it, and netconv's engines run it" : ""))
  }

  static func noFunction(_ function: ActivationFunction) -> NetconvError {
    NetconvError(.badData, "there is no operation for \(function.text)")
  }

  static func noFilters(_ language: String) -> NetconvError {
    NetconvError(
      .usage, text: "\(language) is a language for filters; name at least one with \(.filters)")
  }

  static func filterOfAxes(_ step: PixelStep) -> NetconvError {
    NetconvError(
      .usage,
      "the filter \(quoted(step.text)) moves channels; the channels of a texture are fixed")
  }

  static func numbersOfFilter(_ step: PixelStep, _ found: Int, colors: Int) -> NetconvError {
    NetconvError(
      .usage,
      "the filter \(quoted(step.text)) has \(found) numbers; "
        + (colors == 1 ? "the picture is gray by then" : "a texture has \(colors) colours"))
  }
}

extension ActivationFunction {
  /// The function's text in a message: `relu(slope: 0.1, threshold: 0.25)`.
  fileprivate var text: String {
    guard case .relu(let maximum, let slope, let threshold) = self else { return "\(self)" }
    return "relu(" + (maximum.map { "maximum: \($0), " } ?? "")
      + "slope: \(Float(slope)), threshold: \(Float(threshold)))"
  }
}
