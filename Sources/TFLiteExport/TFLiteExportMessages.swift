import ModelIR

/// The texts of errors about models that TensorFlow Lite cannot represent.
extension NetconvError {
  static func missingForTFLite(_ role: ParameterRole) -> NetconvError {
    NetconvError(.badData, "has no \(role), which its TensorFlow Lite operator needs")
  }

  static func notInTFLite(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(name) is not written as TensorFlow Lite; write the weights alone, into a file that ends in .npz"
    )
  }

  static let openSizeForTFLite = NetconvError(
    .badData,
    "depends on a size that is open; fix the size of the model's input")

  static let largeMatrixForTFLite = NetconvError(
    .badData, "would take a matrix of more than four million numbers; resize smaller images")

  static func tooManyAxesForTFLite(_ type: TFLiteBuiltin, _ rank: Int, most: Int) -> NetconvError {
    NetconvError(
      .badData,
      "\(type.name) would have \(rank) axes with the batch, but its kernel has at most \(most)")
  }
}
