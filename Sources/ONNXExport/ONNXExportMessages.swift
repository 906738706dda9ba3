import ModelIR

/// The texts of errors about models that ONNX cannot represent.
extension NetconvError {
  static func missingForONNX(_ role: ParameterRole) -> NetconvError {
    NetconvError(.badData, "has no \(role), which its ONNX operator needs")
  }

  static func wrongLayoutForONNX(
    _ role: ParameterRole, _ layout: Layout, expected: Layout
  ) -> NetconvError {
    NetconvError(
      .badData, "the \(role) has the layout \(layout), but ONNX expects \(expected)")
  }

  static func notInONNX(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "ONNX has no operator for \(name); write the weights alone, into a file that ends in .npz"
    )
  }

  static let stateAcrossBatches = NetconvError(
    .badData,
    "is stateful, but an ONNX graph keeps no state between runs; use stateful=False")

  static let openSizeForONNX = NetconvError(
    .badData,
    "depends on a size that is open; fix the size of the model's input")

  static let largeMatrixForONNX = NetconvError(
    .badData, "would take a matrix of more than four million numbers; resize smaller images")

  static func preprocessedInputOfONNX(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the input \(quoted(name)) has preprocessing, which an ONNX graph cannot store; remove it, and do it in "
        + "the program")
  }
}
