import Documents
import Files
import ModelIR

/// A LoRA adapter as PEFT saves it: `adapter_model.safetensors`, or `.bin`, with `adapter_config.json` beside it.
public struct Adapter: Sendable {
  /// The path that the user gave.
  public let path: String
  let config: AdapterConfig
  /// The tensors by their names in the file.
  let tensors: [(name: String, stored: StoredTensor)]
  /// The files, the configuration first.
  let files: [RandomAccessFile]

  /// Opens an adapter.
  ///
  /// - Parameter path: The folder, or the file with the weights in it.
  /// - Throws: `cannotOpen` if a file is missing, `badData` if it is damaged or no LoRA adapter that can be merged.
  public init(_ path: String) throws(NetconvError) {
    self.path = path
    let place = try AdapterPlace(path)
    let file = try place.openConfig()
    do throws(NetconvError) {
      config = try AdapterConfig(AdapterPlace.document(file))
    } catch {
      throw error.inFile(file.path)
    }
    let weights = try Shard(SourceProbe(place.weights), allowsHoles: false)
    tensors = weights.tensors
    files = [file, weights.file]
    guard !tensors.isEmpty else { throw NetconvError.emptyAdapter.inFile(place.weights) }
  }
}

/// The files of an adapter.
struct AdapterPlace {
  private static let weightNames = ["adapter_model.safetensors", "adapter_model.bin"]

  let folder: String
  /// The path of the weights.
  let weights: String
  private var config: String { folder + "/" + AdapterConfig.fileName }

  /// Finds the files of the adapter at `path`.
  ///
  /// - Throws: `cannotOpen` if there is no such path, or a folder has no weights.
  init(_ path: String) throws(NetconvError) {
    let path = Directory.withoutTrailingSlashes(path)
    guard Directory.isDirectory(path) else {
      guard FileState(path: path) != nil else { throw NetconvError.noAdapter.inFile(path) }
      folder = Directory.parent(of: path)
      weights = path
      return
    }
    folder = path
    let names = try Directory.names(in: path)
    guard let name = Self.weightNames.first(where: names.contains) else {
      throw NetconvError.noAdapterWeights.inFile(path)
    }
    weights = path + "/" + name
  }

  /// True if the probed path is an adapter.
  static func recognizes(_ probe: SourceProbe) -> Bool {
    if let names = probe.names {
      return names.contains(AdapterConfig.fileName) && probe.isOtherFolder
        && ShardIndexReader.indexNames(in: probe).isEmpty
    }
    return weightNames.contains(Directory.lastComponent(of: probe.path))
      && FileState(path: Directory.parent(of: probe.path) + "/" + AdapterConfig.fileName) != nil
  }

  /// Opens the configuration.
  ///
  /// - Throws: `cannotOpen` if it is missing.
  func openConfig() throws(NetconvError) -> RandomAccessFile {
    guard FileState(path: config) != nil else { throw NetconvError.noConfigFile.inFile(folder) }
    return try RandomAccessFile(path: config)
  }

  /// Parses the configuration.
  static func document(_ file: RandomAccessFile) throws(NetconvError) -> JSONValue {
    try JSONDocument.parse(file.contents(limit: JSONDocument.sizeLimit), refusesRepeatedKeys: true)
  }
}

extension NetconvError {
  fileprivate static let noAdapter = NetconvError(
    .cannotOpen, "there is no such adapter; name the folder that PEFT's save_pretrained wrote")

  fileprivate static let noAdapterWeights = NetconvError(
    .cannotOpen,
    "holds no adapter_model.safetensors; name the folder that PEFT's save_pretrained wrote")

  fileprivate static let noConfigFile = NetconvError(
    .cannotOpen,
    "there is no \(AdapterConfig.fileName), without which the rank and alpha of an adapter are unknown; copy it there"
  )

  fileprivate static let emptyAdapter = NetconvError(.badData, "holds no tensors")
}
