import ModelIR

/// The errors in layers models.
extension NetconvError {
  static func wrongTFJSManifest(_ place: String) -> NetconvError {
    NetconvError(
      .badData, "'\(place)' is not as TensorFlow.js writes it; write the model again")
  }

  static var wrongTFJSShape: NetconvError {
    NetconvError(
      .badData, "the shape is not a list of valid sizes; write the model again")
  }
}
