import ModelIR

// The messages of errors about ONNX files.

extension NetconvError {
  static func unknownValue(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "reads \(quoted(name)), which no initializer, input or node before gives")
  }

  static func noSuchValue(_ name: String, nearest: String?) -> NetconvError {
    NetconvError(
      .usage,
      "the graph has no value \(quoted(name))"
        + (nearest.map { "; did you mean \(quoted($0))?" } ?? ""))
  }

  static func unreadType(_ type: String) -> NetconvError {
    NetconvError(.badData, "values of type \(type) are not computed with")
  }

  static func missingAttribute(_ name: String) -> NetconvError {
    NetconvError(.badData, "the attribute \(quoted(name)) is missing")
  }

  static func trainingMode(_ operation: String) -> NetconvError {
    NetconvError(
      .badData, "\(operation) is in training mode; export the network after eval()")
  }

  static func unreadUse(_ reason: String) -> NetconvError {
    NetconvError(.badData, "\(reason), which is not read")
  }
}
