import Documents
import Files
import ModelIR

/// Reads sharded weights by their JSON index, which maps tensors to files: `model.safetensors.index.json`.
///
/// Source: huggingface_hub/src/huggingface_hub/serialization/_base.py, `StateDictSplit`.
enum ShardIndexReader: ModelReader {
  static let format = OutputFormat.shards.rawValue
  static let summary = "weights in several files (.index.json)"
  static let takesArchitecture = true
  static let takesCodes = true
  private static let key = "weight_map"
  private static let mostFiles = 1 << 12

  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.jsonKeys.contains(key) || !indexNames(in: probe).isEmpty
  }

  /// The names of the index files in a folder that no other reader recognises.
  ///
  /// `model.….index.json` takes precedence. Empty if the path is not such a folder.
  static func indexNames(in probe: SourceProbe) -> [String] {
    guard probe.isOtherFolder, let names = probe.names else { return [] }
    for kind in [OutputFormat.safetensors.ending ?? "", ".bin"] {
      let ending = kind + ".index.json"
      let found = names.filter { $0.hasSuffix(ending) }
      if found.contains("model" + ending) { return ["model" + ending] }
      if !found.isEmpty { return found.sorted() }
    }
    return []
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let isFolder = probe.names != nil
    let indices = indexNames(in: probe)
    guard indices.count <= 1 else { throw .severalShardIndices(indices) }
    let path = indices.first.map { probe.path + "/" + $0 } ?? probe.path
    do throws(NetconvError) {
      return try read(
        path, in: isFolder ? probe.path : Directory.parent(of: path), as: probe.path, options)
    } catch {
      throw error.inFile(path)
    }
  }

  private static func read(
    _ path: String, in folder: String, as source: String, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let index = try RandomAccessFile(path: path)
    let map = try map(in: index)
    let names = Set(map.values).sorted()
    guard names.count <= mostFiles else { throw .tooManyShards(names.count, limit: mostFiles) }
    var tensors: [(name: String, stored: StoredTensor)] = []
    var files: [RandomAccessFile] = []
    var unchecked: [UncheckedPart] = []
    var pickles: [PickleScan] = []
    var surplus: [String] = []
    var problem: NetconvError?
    for name in names {
      guard !name.contains("/"), name != "..", name != "." else { throw .leavesFolder(name) }
      let path = folder + "/" + name
      guard FileState(path: path) != nil else { throw NetconvError.missingShardFile.inFile(path) }
      let shard = try Shard(SourceProbe(path), allowsHoles: options.acceptsNothing)
      files.append(shard.file)
      unchecked += shard.unchecked
      if let scan = shard.pickles { pickles.append(scan) }
      problem = problem ?? shard.problem
      for tensor in shard.tensors {
        if map[tensor.name] == name { tensors.append(tensor) } else { surplus.append(tensor.name) }
      }
    }
    let found = Set(tensors.map(\.name))
    let missing = map.keys.filter { !found.contains($0) }.sorted()
    guard missing.isEmpty else { throw .missingInShards(missing) }
    var result = try ReadSource(
      NamedTensors(tensors, beside: folder, readsCodes: options.graph.readsCodes),
      called: Directory.stem(of: source), format: format,
      path: source, framework: nil, files: files,
      notes: [SourceNote.surplus(surplus)].compactMap(\.self), problem: problem,
      unchecked: unchecked, options)
    result.documents.append(index)
    result.pickles = PickleScan(joining: pickles)
    return result
  }

  /// Parses the index, which maps tensor names to file names.
  private static func map(in file: RandomAccessFile) throws(NetconvError) -> [String: String] {
    let document = try JSONDocument.parse(
      file.contents(limit: JSONDocument.sizeLimit), refusesRepeatedKeys: true)
    guard case .object(let members)? = document[key] else { throw .wrongShardIndex }
    var map: [String: String] = [:]
    for (name, value) in members {
      guard let file = value.string, !file.isEmpty else { throw .wrongShardIndex }
      map[name] = file
    }
    guard !map.isEmpty else { throw .wrongShardIndex }
    return map
  }
}

/// The tensors of a shard.
struct Shard {
  let file: RandomAccessFile
  let tensors: [(name: String, stored: StoredTensor)]
  var unchecked: [UncheckedPart] = []
  var pickles: PickleScan?
  /// The error of a damaged shard that is tolerated; `nil` if there is none.
  var problem: NetconvError?

  /// Opens a shard and lists its tensors.
  init(_ probe: SourceProbe, allowsHoles: Bool) throws(NetconvError) {
    file = try probe.opened()
    if SafetensorsReader.recognizes(probe) {
      let container = try SafetensorsFile(file, allowsHoles: allowsHoles)
      tensors = container.stored
      problem = container.holeProblem
    } else if TorchReader.recognizes(probe) {
      let torch = try TorchReader.open(probe)
      let found = try torch.wholeState()
      tensors = found
      unchecked = torch.unchecked
      pickles = PickleScan(torch.pickles)
    } else {
      throw NetconvError.wrongShard.inFile(probe.path)
    }
  }
}

extension NetconvError {
  fileprivate static func severalShardIndices(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData, "has \(names.count) indices of weights; name one of them",
      details: names.prefix(20).map { quoted($0) })
  }
}

extension SourceNote {
  /// A note on tensors that the index does not list; `nil` if there are none.
  fileprivate static func surplus(_ names: [String]) -> SourceNote? {
    guard !names.isEmpty else { return nil }
    return SourceNote(
      text: names.count == 1
        ? "1 tensor is not in the index, and left out"
        : "\(names.count) tensors are not in the index, and left out",
      details: [list(names)], isWarning: true)
  }
}
