import Documents
import Files
import ModelIR

/// Reads a TensorFlow.js layers model, whatever program wrote it: `model.json`, or its folder.
///
/// Source: tensorflow/tfjs, tfjs-core/src/io/types.ts, `ModelJSON`; tfjs-core/src/io/io_utils.ts, `decodeWeights`.
enum TFJSReader: ModelReader {
  static let format = "tfjs-layers"
  static let summary = "a TensorFlow.js layers model (model.json)"
  static let takesReplacements = true

  static func recognizes(_ probe: SourceProbe) -> Bool {
    (probe.names == nil ? probe.jsonKeys : probe.documentKeys)
      .isSuperset(of: ["modelTopology", "weightsManifest"])
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let isFolder = probe.names != nil
    let file = try isFolder ? probe.openedDocument() : probe.opened()
    let folder = isFolder ? probe.path : Directory.parent(of: probe.path)
    let document = try JSONDocument.parse(
      file.contents(limit: JSONDocument.sizeLimit), refusesRepeatedKeys: true)
    guard let topology = document["modelTopology"] else { throw .noTopologyInTFJS }
    let config = topology["model_config"] ?? topology
    try checkDifferences(in: config)
    let weights = try TFJSWeights(document["weightsManifest"] ?? .null, in: folder)
    let version = topology["keras_version"]?.string
    let found = try KerasSource(
      config: .success(config), version: version, configFile: probe.path, weights: .scoped(weights)
    ).reading(options)
    let writer = document["generatedBy"]?.string ?? version.map { "keras \($0)" }
    return ReadSource(
      format: format, path: probe.path, framework: writer, files: [file] + weights.files,
      network: found.network, problem: found.problem, misfits: found.misfits,
      replaced: found.replaced, converted: nil, notes: found.notes)
  }

  /// Checks that TensorFlow.js computes all layers as Keras does.
  ///
  /// Source: tensorflow/tfjs, tfjs-layers/src/layers/convolutional.ts, `UpSampling2D.call` (corners of pixels, not
  /// their centres); convolutional_depthwise.ts, `DepthwiseConv2D.call` (no dilation).
  private static func checkDifferences(in config: JSONValue, depth: Int = 0) throws(NetconvError) {
    guard depth < 64 else { return }
    switch config {
    case .array(let elements):
      for element in elements { try checkDifferences(in: element, depth: depth + 1) }
    case .object(let members):
      if let name = members["class_name"]?.string, let settings = members["config"] {
        let layer = settings["name"]?.string ?? name
        if name == "UpSampling2D", settings["interpolation"]?.string == "bilinear" {
          throw NetconvError.otherThanKeras("up-samples from the corners of pixels").inLayer(layer)
        }
        let dilation = settings["dilation_rate"]
        let sizes = dilation?.array ?? dilation.map { [$0] } ?? []
        if name == "DepthwiseConv2D", sizes.contains(where: { $0.int != 1 }) {
          throw NetconvError.otherThanKeras("passes over the dilation").inLayer(layer)
        }
      }
      for member in members.values { try checkDifferences(in: member, depth: depth + 1) }
    default: break
    }
  }
}

extension NetconvError {
  fileprivate static var noTopologyInTFJS: NetconvError {
    NetconvError(
      .badData, "has no 'modelTopology', so its layers are unknown; save the whole model")
  }

  fileprivate static func otherThanKeras(_ what: String) -> NetconvError {
    NetconvError(
      .badData, "TensorFlow.js \(what) here, which netconv does not compute as it does")
  }
}
