import Documents
import Files
import HDF5
import ModelIR

/// A checkpoint that Keras saved as one HDF5 file: `model.save("x.h5")`, or its weights alone.
///
/// Source: keras/src/legacy/saving/legacy_h5_format.py.
enum KerasH5Reader: ModelReader {
  static let format = "keras-h5"
  static let summary = "a Keras checkpoint in HDF5 (.h5, .hdf5)"
  static let takesArchitecture = true

  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.names == nil && HDF5File.isHDF5(prefix: probe.prefix)
  }

  static func read(_ path: String, _ options: ReaderOptions) throws(NetconvError) -> ReadModel {
    let source = try RandomAccessFile(path: path)
    let file = try HDF5File(source)
    var weights = try KerasH5Weights(file)
    let isNumbered = weights.isEmpty && KerasPathWeights.recognizes(file)
    let config: JSONValue
    let own = try file.string("model_config", at: "/")
    if let architecture = options.architecture {
      guard own == nil else { throw .ownArchitecture }
      config = try readConfig(at: architecture)
    } else if let text = own {
      config = try parse(text)
    } else {
      guard !weights.isEmpty || isNumbered else { throw .notKeras }
      throw .noArchitecture(isNumbered ? "weights" : "\(weights.layerCount) layers of weights")
    }
    let version = try file.string("keras_version", at: "/") ?? weights.kerasVersion
    let architecture = try KerasArchitecture(
      config, version: version, file: options.architecture ?? path)
    try weights.settle(kerasVersion: architecture.kerasVersion)
    return ReadModel(
      format: format, path: path, framework: version.map { "keras \($0)" },
      files: [source],
      model: try model(architecture, isNumbered ? .numbered(file) : .named(weights)),
      converted: nil)
  }

  /// The two ways in which a file names its weights.
  private enum Weights {
    case named(KerasH5Weights)
    case numbered(HDF5File)
  }

  private static func model(
    _ architecture: KerasArchitecture, _ weights: Weights
  ) throws(NetconvError) -> Model {
    switch weights {
    case .named(let weights): try Model(architecture, weights: weights)
    case .numbered(let file):
      try Model(architecture, weights: KerasPathWeights(file, of: architecture.root))
    }
  }

  private static func parse(_ config: String) throws(NetconvError) -> JSONValue {
    do {
      return try JSONDocument.parse(Array(config.utf8))
    } catch {
      throw .invalidConfig(error.message)
    }
  }

  private static func readConfig(at path: String) throws(NetconvError) -> JSONValue {
    let file = try RandomAccessFile(path: path)
    do {
      return try JSONDocument.parse(file.contents(limit: JSONDocument.sizeLimit))
    } catch {
      throw error.inFile(path)
    }
  }
}
