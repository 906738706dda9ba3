import ModelIR

// The messages of errors about ONNX files.

extension NetconvError {
  static func sparseInitializers(_ count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "\(count) \(count == 1 ? "initializer is" : "initializers are") sparse, which is not read; export it dense"
    )
  }

  static var segmentedTensor: NetconvError {
    NetconvError(.badData, "the tensor is stored in segments, or its shape is negative")
  }

  static var externalWithoutLocation: NetconvError {
    NetconvError(.badData, "the values are in another file, which is not named")
  }

  static func wrongExternalPlace(
    _ file: String, offset: Int, length: Int, expected: Int, size: Int
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the values are \(length) bytes from byte \(offset) of \(quoted(file)), which has \(size); expected "
        + "\(expected) bytes inside of it")
  }

  static func unreadDomain(_ domain: String) -> NetconvError {
    NetconvError(
      .badData,
      domain.hasPrefix("ai.onnx.ml")
        ? "ai.onnx.ml holds trees, scalers and the like, which are no neural networks, and is not read"
        : "the operator set \(quoted(domain)) is not read")
  }

  static func unknownValue(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "reads \(quoted(name)), which no initializer, input or node before gives")
  }

  static func duplicateValue(_ name: String) -> NetconvError {
    NetconvError(.badData, "two nodes, inputs or initializers are called \(quoted(name))")
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
