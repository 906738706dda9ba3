import Files
import ModelIR

/// The texts of all errors that this module throws.
extension NetconvError {
  /// Returns the error with the layer and the role of `tensor`.
  func inTensor(_ tensor: Tensor) -> NetconvError {
    // An interruption is not attributed to a tensor.
    kind == .interrupted
      ? self : inTensor(tensor.spec.role.rawValue).inLayer(tensor.layer)
  }

  static var unfinished: NetconvError {
    NetconvError(.internal, "a tensor was written but never hashed; please report this")
  }

  static func badNaming(_ template: String) -> NetconvError {
    NetconvError(
      .usage,
      "naming \(quoted(template)) cannot be used; write a template with {layer} and {role}, "
        + "for example '{layer}_{role}'")
  }

  static func longEnding(_ template: String, limit: Int) -> NetconvError {
    NetconvError(
      .usage,
      "naming \(quoted(template)) has an extension of more than \(limit) bytes after the last dot")
  }

  static func proofFailed(index: Int, written: Float, source: Float) -> NetconvError {
    NetconvError(
      .internal,
      "value \(index) was written as \(written), but the source has \(source); nothing was "
        + "published, please report this")
  }

  static func wrongCopy(_ offset: Int) -> NetconvError {
    NetconvError(
      .internal,
      "the copy in another container differs from byte \(offset) on; "
        + "nothing was published, please report this")
  }

  static func noChannels(_ layout: Layout, layer: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "int8 has a scale for each output channel, but the layout \(layout) does not separate them; name "
        + "another type, as in \(.elementTypeOf(layer: layer, .float32))")
  }

  static func notIntegers(layer: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "holds values that are infinite or NaN, which int8 cannot represent; name another type, as in "
        + "\(.elementTypeOf(layer: layer, .float32))")
  }

  static let noGraphForONNX = NetconvError(
    .usage,
    "an ONNX file is a graph with its weights, but there are only weights; write them into a file that ends in .npz"
  )

  static let tooManyBytesForONNX = NetconvError(
    .usage,
    "an ONNX file is limited to 2 GB, but these weights are larger; name a folder, which stores them beside the graph"
  )

  static let noGraphForTFJS = NetconvError(
    .usage,
    "a layers model of TensorFlow.js needs the graph, which is unknown; choose another target")

  static let noValuesForTFJS = NetconvError(.internal, "has no values to write")

  static let tooManyBytesForTFJS = NetconvError(
    .badData, "the weights have too many bytes to count")

  static let differentShard = NetconvError(
    .inputOutput, "does not contain the written data; the disk may be damaged")

  static let noGraphForRTNeural = NetconvError(
    .usage,
    text:
      "RTNeural's JSON needs layers, but only weights are known; convert without \(.weightsOnly)"
  )

  static func notFiniteInJSON(_ value: Float) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(value.isNaN ? "a NaN value" : "an infinite value"), which JSON cannot hold"
    )
  }

  static func noParent(_ parent: String) -> NetconvError {
    NetconvError(.cannotCreate, "the folder does not exist; create it first").inFile(parent)
  }

  static func cannotStage(_ parent: String) -> NetconvError {
    NetconvError(
      .cannotCreate, "another program removes the temporary folder"
    ).inFile(parent)
  }

  static func cannotRemoveStaging(_ path: String) -> NetconvError {
    NetconvError(
      .cannotCreate, "a temporary folder in it cannot be removed; choose another path"
    ).inFile(path)
  }

  static func cannotLock(_ parent: String, _ code: Int32) -> NetconvError {
    NetconvError(
      .cannotCreate,
      "no temporary folder can be locked here (\(systemMessage(code))); choose another path"
    ).inFile(parent)
  }

  static func cannotPublish(_ path: String, _ code: Int32) -> NetconvError {
    NetconvError(.cannotCreate, "cannot be moved to its destination (\(systemMessage(code)))")
      .inFile(path)
  }

  static var notAName: NetconvError {
    NetconvError(.cannotCreate, "cannot be replaced; write the folder's name, as in ../NAME")
  }

  static func exists(_ what: String) -> NetconvError {
    NetconvError(
      .cannotCreate,
      text: "is \(what); choose another path, or pass \(.force) to replace an earlier output")
  }

  static func wrongKind(_ found: String, expected: String) -> NetconvError {
    NetconvError(.cannotCreate, "is \(found), expected \(expected); choose another path")
  }

  static func foreignFile(_ file: String) -> NetconvError {
    NetconvError(
      .cannotCreate,
      text:
        "holds \(quoted(file)), which netconv did not write; \(.force) replaces only what netconv wrote, so move it "
        + "away or choose another path"
    )
  }

  static var notNumpy: NetconvError {
    NetconvError(
      .cannotCreate,
      text: "is neither an .npy nor an .npz file by its content; \(.force) replaces only these")
  }

  static var notOurText: NetconvError {
    NetconvError(
      .cannotCreate,
      "holds something that netconv did not write; move it away, or choose another path")
  }

  static func appeared(_ file: String) -> NetconvError {
    NetconvError(
      .cannotCreate,
      "holds \(quoted(file)), which was not there when the conversion began; nothing was replaced, "
        + "so choose another path"
    )
  }

  static func rescued(_ reason: NetconvError, to path: String) -> NetconvError {
    var error = reason
    error.list.append("the earlier output is now at \(quoted(path))")
    return error
  }
}
