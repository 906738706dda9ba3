import ModelIR

/// The texts of errors about models that ONNX cannot represent.
extension NetconvError {
  static func scalesAlongSeveralAxes(_ layout: Layout) -> NetconvError {
    NetconvError(
      .usage,
      "int8 in an ONNX file has its scales along one axis, but the output channels of \(layout) are several; name "
        + "another type for this layer")
  }

  static func missingForONNX(_ role: ParameterRole) -> NetconvError {
    NetconvError(.badData, "has no \(role), which its ONNX operator needs")
  }

  static func notInONNX(_ name: String, _ consumer: ONNXConsumer) -> NetconvError {
    NetconvError(
      .badData,
      "\(consumer.name) has no operator for \(name); write the weights alone, into a file that ends in .npz"
    )
  }

  static let openSizeForONNX = NetconvError(
    .badData,
    "depends on a size that is open; fix the size of the model's input")

  static let largeMatrixForONNX = NetconvError(
    .badData, "would take a matrix of more than four million numbers; resize smaller images")
}
