import Documents
import Files
import HDF5
import ModelIR

/// Reads a Keras checkpoint in one HDF5 file: `model.save("x.h5")`, or only its weights.
///
/// Source: keras/src/legacy/saving/legacy_h5_format.py.
enum KerasH5Reader: ModelReader {
  static let format = "keras-h5"
  static let summary = "a Keras checkpoint in HDF5 (.h5, .hdf5)"
  static let takesArchitecture = true
  static let bindsKerasArchitectures = true
  static let takesReplacements = true

  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.isHDF5
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let source = try probe.opened()
    let file = try HDF5File(source)
    let weights = try KerasH5Weights(file)
    let isNumbered = weights.isEmpty && KerasPathWeights.recognizes(file)
    let own = try file.string("model_config", at: "/")
    let config: Result<JSONValue, NetconvError>
    var documents: [RandomAccessFile] = []
    if let architecture = options.architecture, own == nil || !options.allowsOwnArchitecture {
      guard own == nil else { throw .ownArchitecture }
      let document = try KerasConfigFile.open(architecture.path)
      config = try KerasConfigFile.config(in: document)
      documents.append(document)
    } else if let text = own {
      config = parse(text)
    } else {
      guard !weights.isEmpty || isNumbered else { throw .notKeras }
      config = .failure(
        .noArchitecture(isNumbered ? "weights" : "\(weights.layerCount) layers of weights"))
    }
    let version = try file.string("keras_version", at: "/") ?? weights.kerasVersion
    let found = try KerasSource(
      config: config, version: version, configFile: options.architecture?.path ?? probe.path,
      weights: isNumbered ? .numbered(KerasWeightFiles([file])) : .named(weights)
    ).reading(options)
    var read = ReadSource(
      format: format, path: probe.path, framework: version.map { "keras \($0)" },
      files: [source], network: found.network, problem: found.problem, misfits: found.misfits,
      replaced: found.replaced, converted: nil, notes: found.notes,
      usesNamedArchitecture: !documents.isEmpty, documents: documents)
    read.leftOutCount = KerasPathWeights.otherStateCount(in: file)
    return read
  }

  private static func parse(_ config: String) -> Result<JSONValue, NetconvError> {
    do {
      return .success(try JSONDocument.parse(Array(config.utf8)))
    } catch {
      return .failure(.invalidConfig(error.message))
    }
  }
}

extension NetconvError {
  fileprivate static func invalidConfig(_ problem: String) -> NetconvError {
    NetconvError(.badData, "the attribute model_config \(problem)")
  }

  fileprivate static var notKeras: NetconvError {
    NetconvError(
      .badData,
      "is an HDF5 file, but not one that Keras writes: there is neither model_config nor "
        + "layer_names nor a group of layers")
  }
}
