import ModelIR
import Operators

/// The texts of errors about models that RTNeural does not support.
extension NetconvError {
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

  private static func described(_ function: ActivationFunction) -> String {
    (try? JSONDocument.encodeCompact(function)).map {
      String(decoding: $0, as: UTF8.self).filter { $0 != "\"" }
    } ?? "\(function)"
  }
}
