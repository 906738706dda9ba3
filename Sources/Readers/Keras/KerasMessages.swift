import Documents
import ModelIR

/// The errors of the Keras readers.
extension NetconvError {
  /// The advice for a graph that cannot be read.
  static let weightsAlone: Message =
    "; \(.convertWeightsOnly) writes the tensors without a graph"

  /// True if the error suggests writing the tensors without a graph: they are not in doubt.
  var suggestsWeightsAlone: Bool { text.remedies.contains(.convertWeightsOnly) }

  static func unsupportedMask(_ className: String) -> NetconvError {
    NetconvError(.badData, "\(className) with a mask is not read")
  }

  static func notRecurrent(_ className: String, inside outer: String) -> NetconvError {
    NetconvError(
      .badData, "\(quoted(className)) in \(outer) is not read; SimpleRNN, LSTM and GRU are")
  }

  static func channelsFirst(_ className: String) -> NetconvError {
    NetconvError(.badData, "data_format is channels_first, which is not read of \(className)")
  }

  static func severalLayers(_ className: String) -> NetconvError {
    NetconvError(.badData, "\(className) is several layers, which only a graph spells out")
  }

  static func configMissing(_ key: String, place: String) -> NetconvError {
    NetconvError(
      .badData,
      text: "\(place) has no \(key); it is not a configuration that Keras writes, but "
        + "\(.convertWeightsOnly) writes the tensors all the same")
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

  static func missingWeight(_ name: String, found: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "the weight '\(name)' is missing; the file holds "
        + (found.isEmpty ? "none for this layer" : found.quotedList)
    )
  }

  static func noArchitecture(_ found: String) -> NetconvError {
    NetconvError(
      .badData,
      text: "holds \(found) but no architecture (there is no model_config); pass the output of "
        + "model.to_json() with \(.architectureFile), or save the whole model with model.save()"
        + weightsAlone)
  }

  static func noWeights(_ entry: String) -> NetconvError {
    NetconvError(.badData, "the archive has no \(entry); it is not one that Keras writes")
  }

  static func quantised(_ quantization: KerasQuantization) -> NetconvError {
    NetconvError(
      .badData,
      "quantised by Keras (\(escaped(quantization.mode))), "
        + (quantization.roundsInputs
          ? "which quantises activations too" : "which only Keras's own layers compute with")
        + "; convert the model as it was before quantize()")
  }
}
