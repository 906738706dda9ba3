import ModelIR

/// The errors in layers models.
extension NetconvError {
  static var noTopologyInTFJS: NetconvError {
    NetconvError(
      .badData, "has no 'modelTopology', so its layers are unknown; save the whole model")
  }

  static func otherThanKeras(_ what: String) -> NetconvError {
    NetconvError(
      .badData, "TensorFlow.js \(what) here, which netconv does not compute as it does")
  }

  static func differentTFJSArray(_ found: String?, expected: String?) -> NetconvError {
    let name = { (name: String?) in name.map { "the array \(quoted($0))" } ?? "no more arrays" }
    return NetconvError(
      .badData,
      "lists \(name(found)) where netconv wrote \(name(expected)); convert the model again")
  }

  static var differentTFJSLayers: NetconvError {
    NetconvError(
      .badData,
      "its layers are not those that netconv writes for this model; convert the model again")
  }

  static func wrongTFJSManifest(_ place: String) -> NetconvError {
    NetconvError(
      .badData, "'\(place)' is not as TensorFlow.js writes it; write the model again")
  }

  static var wrongTFJSShape: NetconvError {
    NetconvError(
      .badData, "the shape is not a list of valid sizes; write the model again")
  }

  static func wrongTFJSType(_ type: String) -> NetconvError {
    NetconvError(
      .badData,
      "values are stored as \(quoted(type)), expected float32, int32, float16, uint8 or uint16; write "
        + "it without quantization")
  }

  static var wrongTFJSQuantization: NetconvError {
    NetconvError(
      .badData, "'quantization' has no finite 'scale' and 'min'; write the model again")
  }

  static var repeatedTFJSWeight: NetconvError {
    NetconvError(
      .badData, "occurs twice in 'weightsManifest'; each array needs a unique name")
  }

  static func wrongTFJSSize(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the shards have \(found) bytes, but the arrays of model.json need \(expected); copy all files again"
    )
  }
}
