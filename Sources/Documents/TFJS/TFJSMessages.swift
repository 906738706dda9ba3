import ModelIR
import Operators

/// The texts of errors about models that TensorFlow.js does not support.
extension NetconvError {
  static func preprocessedInputOfTFJS(_ input: String) -> NetconvError {
    NetconvError(
      .badData,
      "input \(quoted(input)) has preprocessing steps, which a layers model of TensorFlow.js cannot store; remove "
        + "them from model.json and do them in JavaScript")
  }

  static func notInTFJS(_ what: String) -> NetconvError {
    NetconvError(
      .badData,
      "TensorFlow.js has no layer for \(what), so no layers model can be written; choose another target"
    )
  }

  static func parameterOfTFJS(_ role: String) -> NetconvError {
    NetconvError(
      .badData,
      "has a parameter \(quoted(role)), which the layer of TensorFlow.js lacks; choose another target"
    )
  }

  static func activationOfTFJS(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "TensorFlow.js has no activation \(quoted(name)) with these settings; choose another target")
  }

  static var resetsAfterInTFJS: NetconvError {
    NetconvError(
      .badData,
      "the reset gate is after the product (reset_after), which TensorFlow.js does not compute; choose another "
        + "target")
  }
}

extension ActivationFunction {
  /// The name in documents.
  var text: String { String("\(self)".prefix { $0 != "(" }) }
}
