import ModelIR
import Operators

/// The texts of errors about models that TensorFlow.js does not support.
extension NetconvError {
  static func notInTFJS(_ what: String) -> NetconvError {
    NetconvError(
      .badData,
      "TensorFlow.js has no layer for \(what), so no layers model can be written; choose another target"
    )
  }

  static func activationOfTFJS(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "TensorFlow.js has no activation \(quoted(name)) with these settings; choose another target")
  }
}

extension ActivationFunction {
  /// The name in documents.
  var text: String { String("\(self)".prefix { $0 != "(" }) }
}
