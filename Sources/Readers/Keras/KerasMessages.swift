import Documents
import ModelIR

/// The errors of the Keras readers.
extension NetconvError {
  /// The advice for a graph that cannot be read.
  static let weightsAlone: Message =
    "; \(.convertWeightsOnly) writes the tensors without a graph"

  /// True if the error suggests writing the tensors without a graph: they are not in doubt.
  var suggestsWeightsAlone: Bool { text.remedies.contains(.convertWeightsOnly) }

  static let unclearMask = NetconvError(
    .badData,
    "the inputs have different masks, or only some have one, and versions of Keras treat them differently"
  )

  static let statedMask = NetconvError(
    .badData,
    "the call states a mask that is not the one that its input has; such masks are not read")

  static let unrolledMask = NetconvError(
    .badData,
    "the layer is unrolled, goes backwards and has a mask; Keras then sets other steps to zero than those of the mask, which "
      + "is not read")

  static func unsupportedMask(_ className: String) -> NetconvError {
    NetconvError(.badData, "\(className) with a mask is not read")
  }

  static func wrongStates(_ count: Int, expected: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the call has \(count) inputs besides the sequence, expected none, or \(expected) \(expected == 1 ? "state" : "states") to begin with"
    )
  }

  static let statefulSteps = NetconvError(
    .badData, "a stateful layer in TimeDistributed is not read")

  static let noStates = NetconvError(
    .badData, "a state of the layer is read, and return_state is not set")

  static let sameDirection = NetconvError(
    .badData, "layer and backward_layer have the same go_backwards; one of them has to go backwards"
  )

  static func notRecurrent(_ className: String, inside outer: String) -> NetconvError {
    NetconvError(
      .badData, "\(quoted(className)) in \(outer) is not read; SimpleRNN, LSTM and GRU are")
  }

  static func channelsFirst(_ className: String) -> NetconvError {
    NetconvError(.badData, "data_format is channels_first, which is not read of \(className)")
  }

  static let distributedChannelsFirst = NetconvError(
    .badData, "data_format is channels_first inside TimeDistributed, which is not read")

  static func noCells(_ count: Int, limit: Int) -> NetconvError {
    NetconvError(.badData, "StackedRNNCells has \(count) cells, expected 1 to \(limit)")
  }

  static func severalLayers(_ className: String) -> NetconvError {
    NetconvError(.badData, "\(className) is several layers, which only a graph spells out")
  }

  static func missingGroup(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "layer_names lists \(quoted(name)), but there is no such group; the file is damaged"
    )
  }

  static func invalidConfig(_ problem: String) -> NetconvError {
    NetconvError(.badData, "the attribute model_config \(problem)")
  }

  static func stringWithoutConfig(_ problem: String) -> NetconvError {
    NetconvError(
      .badData,
      "holds one string, whose text \(problem); expected the output of model.to_json(), as it is or as a "
        + "string of JSON")
  }

  static func configMissing(_ key: String, place: String) -> NetconvError {
    NetconvError(
      .badData,
      text: "\(place) has no \(key); it is not a configuration that Keras writes, but "
        + "\(.convertWeightsOnly) writes the tensors all the same")
  }

  /// The error for a layer whose class has an incomplete configuration or none.
  static func layerWithoutName(_ className: String, place: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "\(place) (\(escaped(className))) has no config.name, as its class has no get_config that begins with "
        + "super().get_config(); add that and save the model again, or write the tensors alone with "
        + "\(.convertWeightsOnly)")
  }

  static func unlistedArray(_ list: String) -> NetconvError {
    NetconvError(.badData, "the file holds this array, but \(list) does not list it")
  }

  static func unknownModelClass(_ name: String?) -> NetconvError {
    NetconvError(
      .badData,
      text: Message(
        text: name.map { "the model is of class \(quoted($0))" }
          ?? "the configuration names no model class")
        + ", expected Sequential or Functional" + weightsAlone)
  }

  static func unknownReference(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "the configuration refers to a call of \(quoted(name)) that it does not list")
  }

  static func wrongReference(_ name: String, node: Double, tensor: Double) -> NetconvError {
    NetconvError(
      .badData,
      "the configuration refers to output \(JSONValue.number(tensor)) of call \(JSONValue.number(node)) of "
        + "\(quoted(name)), which is invalid; both are integers from 0 to 999999")
  }

  static func tooManyCalls(_ limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the nested models, expanded, call layers more than \(limit) times; call fewer models "
        + "in models, or save them one by one")
  }

  static func modelsOutOfOrder(_ limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "reads a model that reads a model, and so on more than \(limit) times, and they are listed last "
        + "to first; Keras lists them in the order in which they are computed, so save the model again"
    )
  }

  static func cyclicModels(_ name: String) -> NetconvError {
    NetconvError(.badData, "the model \(quoted(name)) reads its own output")
  }

  static var callWithoutInputs: NetconvError {
    NetconvError(.badData, "is called with no input")
  }

  static func wrongModelInputs(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(.badData, "is a model that is called with \(found) inputs, expected \(expected)")
  }

  static func nestedTooDeep(_ limit: Int) -> NetconvError {
    NetconvError(.badData, "models are nested more than \(limit) levels deep")
  }

  static func ambiguousWeights(_ group: String) -> NetconvError {
    NetconvError(
      .badData,
      "the model \(quoted(group)) has several layers of this name, and the file does not say whose the "
        + "weights are; rename the layers and save it again")
  }

  static var noLayers: NetconvError {
    NetconvError(.badData, "the model has no layers; save it after it was built")
  }

  static var noInputShape: NetconvError {
    NetconvError(
      .badData,
      "the model states no input shape; build it, or start it with an Input layer, and "
        + "save it again")
  }

  static func unknownInputLayer(_ name: String) -> NetconvError {
    NetconvError(.badData, "input_layers names \(quoted(name)), which is not an InputLayer")
  }

  static func settingMissing(_ key: String) -> NetconvError {
    NetconvError(.badData, "the setting \(key) is missing")
  }

  static func wrongSetting(_ key: String, _ value: JSONValue, expected: String) -> NetconvError {
    NetconvError(.badData, "\(key) is \(shortened(value)), expected \(expected)")
  }

  private static func shortened(_ value: JSONValue) -> String {
    let text = escaped(value.description)
    return text.count > 60 ? text.prefix(60) + "…" : text
  }

  static func unsupportedOperands(_ operands: [KerasOperand]) -> NetconvError {
    let texts = operands.map { operand in
      switch operand {
      case .tensor: "a tensor"
      case .constant(let value): shortened(value)
      }
    }
    return NetconvError(
      .badData,
      "it is called with " + (texts.isEmpty ? "nothing" : texts.joined(separator: " and ")))
  }

  static func unsupportedConstant(_ value: JSONValue) -> NetconvError {
    NetconvError(
      .badData,
      "it is called with \(shortened(value)), expected a number, or one for each channel")
  }

  static func unsupportedClip(_ lowest: Double, _ highest: Double) -> NetconvError {
    NetconvError(
      .badData,
      "it clips values to \(JSONValue.number(lowest)) to \(JSONValue.number(highest)), expected "
        + "from 0 on, or from -1 to 1")
  }

  static func differentConstants(_ function: String) -> NetconvError {
    NetconvError(
      .badData, "the function \(quoted(function)) is called several times with other constants")
  }

  static func unsupportedLayers(_ list: [Message]) -> NetconvError {
    NetconvError(
      .badData,
      text: (list.count == 1
        ? "1 layer is not supported" : "\(list.count) layers are not supported") + weightsAlone,
      list: list)
  }

  static func weightProblems(_ problems: [NetconvError]) -> NetconvError {
    NetconvError(
      .badData, text: "the weights of \(problems.count) layers do not fit",
      list: problems.map(\.headline))
  }

  static func missingWeight(_ name: String, found: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "the weight '\(name)' is missing; the file holds "
        + (found.isEmpty ? "none for this layer" : found.map { quoted($0) }.joined(separator: ", "))
    )
  }

  static func extraWeight(_ name: String, expected: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "the file holds a weight \(quoted(name)) that the layer does not have; expected "
        + (expected.isEmpty ? "none" : expected.joined(separator: ", ")))
  }

  static func kernelOfTheano(_ className: String) -> NetconvError {
    NetconvError(
      .badData,
      "Theano computed with this model, and rotated the kernel; netconv rotates back kernels of Conv2D and "
        + "Conv2DTranspose, not of \(className); load and save the model with Keras on TensorFlow")
  }

  static func repeatedWeight(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "the file holds several weights of one name: "
        + names.map { quoted($0) }.joined(separator: ", "))
  }

  static func noArchitecture(_ found: String) -> NetconvError {
    NetconvError(
      .badData,
      text: "holds \(found) but no architecture (there is no model_config); pass the output of "
        + "model.to_json() with \(.architectureFile), or save the whole model with model.save()"
        + weightsAlone)
  }

  static var noArchitectureInFile: NetconvError {
    NetconvError(.badData, "holds no architecture: there is no model_config")
  }

  static func noWeights(_ entry: String) -> NetconvError {
    NetconvError(.badData, "the archive has no \(entry); it is not one that Keras writes")
  }

  static func invalidEntry(_ entry: String, _ problem: String) -> NetconvError {
    NetconvError(.badData, "the archive's \(entry) \(problem)")
  }

  static var notKeras: NetconvError {
    NetconvError(
      .badData,
      "is an HDF5 file, but not one that Keras writes: there is neither model_config nor "
        + "layer_names nor a group of layers")
  }

  static func missingDataset(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "weight_names lists \(quoted(name)), but there is no such dataset; the file is damaged, so save the model again"
    )
  }

  static func quantised(_ quantization: KerasQuantization) -> NetconvError {
    NetconvError(
      .badData,
      "quantised by Keras (\(escaped(quantization.mode))), "
        + (quantization.roundsInputs
          ? "which quantises activations too" : "which only Keras's own layers compute with")
        + "; convert the model as it was before quantize()")
  }

  static func unsupportedWrapped(_ className: String?, _ name: String?) -> NetconvError {
    NetconvError(
      .badData,
      className.map {
        "it wraps \(name.map { quoted($0) + " " } ?? "")(\(escaped($0))), which is not supported itself"
      } ?? "it wraps no layer")
  }

  static func wrongLoRA(
    _ kernel: [Int]?, _ a: (name: String, shape: [Int]?), _ b: (name: String, shape: [Int]?),
    rank: Int
  ) -> NetconvError {
    func text(_ shape: [Int]?) -> String { shape.map { "\($0)" } ?? "unknown" }
    return NetconvError(
      .badData,
      "\(a.name) is \(text(a.shape)) and \(b.name) \(text(b.shape)), which do not add up to a kernel of "
        + "\(text(kernel)) with lora_rank \(rank)")
  }

  static var randomCrop: NetconvError {
    NetconvError(
      .badData,
      "Keras 3 crops in training only, and then leaves images as they are, whatever shape the layer "
        + "states; put a CenterCrop or a Resizing in its place")
  }

  static var halvingActivation: NetconvError {
    NetconvError(
      .badData,
      "activation is \"glu\", which halves the channels that the layer states; put it into an "
        + "Activation layer of its own")
  }

  static var wrongSparsemax: NetconvError {
    NetconvError(
      .badData,
      "activation is \"sparsemax\", which Keras computes differently with each backend; "
        + "with TensorFlow most of its results are 0")
  }

  static var thresholdWithoutNumbers: NetconvError {
    NetconvError(
      .badData,
      "activation is \"threshold\", but Keras does not save its threshold and value; use a "
        + "ThresholdedReLU or a ReLU layer")
  }
}

extension SourceNote {
  static func loraText(_ count: Int) -> String {
    "LoRA was added to \(count == 1 ? "1 kernel" : "\(count) kernels"), as Keras computes with it: kernel + "
      + "lora_alpha / lora_rank * A·B"
  }

  static func loraDetail(_ layer: String, _ lora: KerasLoRA, isForgotten: Bool) -> String {
    "\(quoted(layer)): lora_alpha \(JSONValue.number(lora.alpha)), lora_rank \(lora.rank)"
      + (isForgotten
        ? "; Keras 3.15 takes lora_rank for both when it loads this layer from HDF5, and then computes "
          + "something else than the model that was saved" : "")
  }

  static func quantisedText(_ count: Int) -> String {
    "Keras has quantised \(count == 1 ? "1 layer" : "\(count) layers"); values are computed from "
      + "the stored tensors, which are not the weights themselves"
  }
}
