import Documents
import Files
import HDF5
import ModelIR

/// Reads sharded weights of Keras 3: `model.save_weights("x.weights.json", max_shard_size=…)`.
///
/// Source: keras/src/saving/saving_lib.py, `ShardedH5IOStore`.
enum KerasShardsReader: ModelReader {
  static let format = "keras-shards"
  static let summary = "weights of Keras 3 in several files (.weights.json)"
  static let takesArchitecture = true
  static let bindsKerasArchitectures = true
  static let takesReplacements = true
  private static let mostFiles = 1 << 12

  /// Recognised by the keys of the map: group paths instead of tensor names.
  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.jsonKeys.contains("weight_map")
      && probe.compactText.contains(#""weight_map":{"/"#)
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let index = try probe.opened()
    let map = try map(in: index)
    let names = Set(map.values.joined()).sorted()
    guard names.count <= mostFiles else { throw .tooManyShards(names.count, limit: mostFiles) }
    let folder = Directory.parent(of: probe.path)
    var files: [RandomAccessFile] = []
    var shards: [HDF5File] = []
    for name in names {
      guard !name.contains("/"), name != "..", name != "." else { throw .leavesFolder(name) }
      let path = folder + "/" + name
      guard FileState(path: path) != nil else { throw NetconvError.missingShardFile.inFile(path) }
      let file = try SourceProbe(path).opened()
      files.append(file)
      shards.append(try HDF5File(file))
    }
    let weights = try KerasWeightFiles(shards)
    let missing = map.keys.filter { !weights.holds($0) }.sorted()
    guard missing.isEmpty else { throw .missingInShards(missing) }
    var documents = [index]
    var config: Result<JSONValue, NetconvError> = .failure(.noArchitecture("weights"))
    if let architecture = options.architecture {
      let document = try KerasConfigFile.open(architecture.path)
      config = try KerasConfigFile.config(in: document)
      documents.append(document)
    }
    let found = try KerasSource(
      config: config, version: nil, configFile: options.architecture?.path ?? probe.path,
      weights: .numbered(weights)
    ).reading(options)
    return ReadSource(
      format: format, path: probe.path, framework: "keras 3", files: files,
      network: found.network, problem: found.problem, misfits: found.misfits,
      replaced: found.replaced, converted: nil, notes: found.notes,
      usesNamedArchitecture: options.architecture != nil, documents: documents)
  }

  /// Returns the files of each group.
  private static func map(in file: RandomAccessFile) throws(NetconvError) -> [String: [String]] {
    let document = try JSONDocument.parse(
      file.contents(limit: JSONDocument.sizeLimit), refusesRepeatedKeys: true)
    guard case .object(let members)? = document["weight_map"], !members.isEmpty else {
      throw .wrongShardIndex
    }
    var map: [String: [String]] = [:]
    for (group, value) in members {
      let names = (value.array ?? [value]).compactMap(\.string)
      guard !names.isEmpty, !names.contains("") else { throw .wrongShardIndex }
      map[group] = names
    }
    return map
  }
}
