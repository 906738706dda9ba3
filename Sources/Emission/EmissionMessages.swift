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

  static var reachesNoOutput: NetconvError {
    NetconvError(.badData, "reaches no output")
  }

  static func noWord(_ name: String) -> NetconvError {
    NetconvError(.badData, "the language cannot express this \(name)")
  }

  static func oneBias(_ name: String) -> NetconvError {
    NetconvError(.badData, "the language cannot express a \(name) that has one of its two biases")
  }

  static func noKernel(_ name: String) -> NetconvError {
    NetconvError(.badData, "there is no kernel for \(name)")
  }

  static func noNeuron(_ function: ActivationFunction) -> NetconvError {
    NetconvError(.badData, "there is no neuron for \(function.text)")
  }

  static var softmaxNotOverChannels: NetconvError {
    NetconvError(.badData, "a softmax over other axes than the channels")
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

  static func dilatedTransposed(_ dilation: Size2D) -> NetconvError {
    NetconvError(
      .badData,
      "a transposed convolution with a dilation of \(dilation.height) x \(dilation.width); it has to be 1"
    )
  }

  static func movesValues(_ input: Shape, _ output: Shape) -> NetconvError {
    NetconvError(
      .badData, "a reshape from \(input) to \(output); it must not change the image")
  }

  static func tooManyChannels(_ shape: ImageShape) -> NetconvError {
    NetconvError(
      .badData, "an image of \(shape); it can have \(ImageShape.mostChannels) channels at most")
  }

  static var notRepeated: NetconvError {
    NetconvError(.badData, "an upsampling that does not repeat pixels")
  }

  static var slopesNotOfChannels: NetconvError {
    NetconvError(.badData, "slopes of other axes than an image's channels")
  }

  static func denseOverPixels(_ shape: Shape) -> NetconvError {
    NetconvError(.badData, "a fully-connected layer over the last axis of \(shape)")
  }

  static func denseMismatch(_ kernel: [Int], _ image: ImageShape) -> NetconvError {
    NetconvError(
      .badData, "a fully-connected kernel of \(kernel) over an image of \(image.description)")
  }

  static var normalizationNotOverChannels: NetconvError {
    NetconvError(.badData, "a normalisation of other axes than an image's channels")
  }

  static var concatenationNotOfChannels: NetconvError {
    NetconvError(.badData, "a concatenation of other axes than an image's channels")
  }

  static var unlikeImages: NetconvError {
    NetconvError(.badData, "images of different shapes")
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

  static var normalizationKeepsMean: NetconvError {
    NetconvError(.badData, "a normalisation that does not subtract the mean")
  }

  static func noFunction(_ function: ActivationFunction) -> NetconvError {
    NetconvError(.badData, "there is no operation for \(function.text)")
  }

  static func noInterpolation(_ interpolation: Interpolation) -> NetconvError {
    NetconvError(
      .badData,
      "there is no \(interpolation.rawValue) interpolation; supported are nearest and bilinear")
  }

  static func noResizing(antialias: Bool) -> NetconvError {
    NetconvError(
      .badData,
      antialias
        ? "images are resized without antialiasing"
        : "images of another proportion are stretched, without cropping or padding"
    )
  }

  static func noCorners(_ coordinates: SamplingCoordinates) -> NetconvError {
    NetconvError(
      .badData,
      "pixels are measured from their centres, without coordinates \(coordinates.rawValue)")
  }

  static func cropEnlarges(_ size: Size2D) -> NetconvError {
    NetconvError(
      .badData, "the image is smaller than the \(size.height) by \(size.width) pixels of its middle"
    )
  }

  static var nothingLeft: NetconvError {
    NetconvError(.badData, "the image would be empty")
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

  static func wordAsName(_ name: String) -> NetconvError {
    NetconvError(
      .usage, "\(quoted(name)) is a keyword of Swift; choose another name for the module")
  }

  static func moduleAsName(_ name: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(name)) is a module of Swift or of the system; choose another name for the module")
  }

  static func swiftTypeAsName(_ name: String) -> NetconvError {
    NetconvError(
      .usage, "\(quoted(name)) is a type of Swift; choose another name for the module")
  }

  static func typeAsName(_ name: String, hiding type: String) -> NetconvError {
    NetconvError(
      .usage,
      "a module \(quoted(name)) would have a type \(type), which conflicts with another type of its code; "
        + "choose another name for the module")
  }

  static func notAName(_ name: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(name)) is not a valid name of a Swift module; use letters, digits and _, and begin with a capital letter"
    )
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
