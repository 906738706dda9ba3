import ModelIR
import Operators

/// The texts of errors about models that RTNeural does not support.
extension NetconvError {
  static func severalEnds(inputs: Int, outputs: Int) -> NetconvError {
    NetconvError(
      .badData,
      "RTNeural supports networks of one input and one output; this one has \(inputs) and \(outputs)"
    )
  }

  static func noSequence(_ name: String, _ shape: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "the input \(quoted(name)) is \(shape); netconv writes RTNeural's JSON of networks over (length, channels) or "
        + "(channels); choose another target")
  }

  static func preprocessedInput(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the input \(quoted(name)) has preprocessing, which RTNeural's JSON cannot store; remove it, and do it in "
        + "the program")
  }

  static func noChain(_ inputs: [String], expected: String) -> NetconvError {
    let found =
      inputs.isEmpty ? "nothing" : inputs.map { quoted($0) }.joined(separator: " and ")
    return NetconvError(
      .badData,
      "reads \(found), expected \(quoted(expected)) alone: RTNeural's "
        + "JSON holds a chain; branches have to be merged in the program")
  }

  static let nothingForRTNeural = NetconvError(
    .badData, "the network has no layer for RTNeural")

  static func notInRTNeural(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(name) is not in RTNeural's JSON; Dense, Conv1D, LSTM, GRU, PReLU, BatchNormalization and activations are"
    )
  }

  static let twoBiasesInRTNeural = NetconvError(
    .badData,
    "has a bias after each of its two kernels; RTNeural's LSTM has one: add them, and leave out recurrent_bias"
  )

  static func stridesInRTNeural(_ stride: Int) -> NetconvError {
    NetconvError(
      .badData,
      "has strides of \(stride); RTNeural's JSON has none, and computes every step; use strides=1")
  }

  static func paddingInRTNeural(_ padding: String) -> NetconvError {
    NetconvError(
      .badData,
      "has the padding \(padding); RTNeural computes a convolution sample by sample, which is causal: train with "
        + "padding=\"causal\"")
  }

  static func activationInRTNeural(_ function: ActivationFunction) -> NetconvError {
    NetconvError(
      .badData,
      "has the activation \(described(function)); RTNeural has tanh, relu, sigmoid, elu with alpha 1, and softmax over "
        + "channels")
  }

  static func recurrentActivation(
    _ function: ActivationFunction, expected: ActivationFunction
  ) -> NetconvError {
    NetconvError(
      .badData,
      "has the activation \(described(function)) where RTNeural always computes \(described(expected))"
    )
  }

  static func recurrenceInRTNeural(_ what: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(what); a layer of RTNeural starts from zeros and reads every step in order")
  }

  static let lastStepOnly = NetconvError(
    .badData,
    "returns only the last step; RTNeural returns every step: use return_sequences=True, and take the last one in the "
      + "program")

  static let resetsBefore = NetconvError(
    .badData,
    "is a GRU with reset_after=False; RTNeural computes the other variant: train with reset_after=True"
  )

  static func missingForRTNeural(_ role: ParameterRole) -> NetconvError {
    NetconvError(.badData, "has no \(role), which RTNeural's JSON needs")
  }

  static func slopesPerStep(_ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "has slopes of \(shape), one for each step; RTNeural has one for each channel: use shared_axes=[1]"
    )
  }

  static func normalizedAxis(_ axis: Int) -> NetconvError {
    NetconvError(.badData, "normalises axis \(axis); RTNeural normalises channels, the last axis")
  }

  static func halfAffine(_ given: ParameterRole) -> NetconvError {
    NetconvError(
      .badData,
      "has \(given) alone; RTNeural has either both gamma and beta or neither")
  }

  private static func described(_ function: ActivationFunction) -> String {
    (try? JSONDocument.encodeCompact(function)).map {
      String(decoding: $0, as: UTF8.self).filter { $0 != "\"" }
    } ?? "\(function)"
  }
}
