import Documents
import Files
import ModelIR

/// A reader of sharded weights, with a JSON index from tensors to files: `model.safetensors.index.json`.
///
/// Source: huggingface_hub/src/huggingface_hub/serialization/_base.py, `StateDictSplit`.
enum ShardIndexReader: ModelReader {
  static let format = "shards"
  static let summary = "weights in several files (.index.json)"
  static let takesArchitecture = true
  private static let key = "weight_map"
  private static let mostFiles = 1 << 12

  static func recognizes(_ probe: SourceProbe) -> Bool { probe.jsonKeys.contains(key) }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let index = try probe.opened()
    let map = try map(in: index)
    let names = Set(map.values).sorted()
    guard names.count <= mostFiles else { throw .tooManyShards(names.count, limit: mostFiles) }
    let folder = Directory.parent(of: probe.path)
    var tensors: [(name: String, stored: StoredTensor)] = []
    var source: (files: [RandomAccessFile], unchecked: [UncheckedPart], pickles: [PickleScan]) =
      ([], [], [])
    var surplus: [String] = []
    for name in names {
      guard !name.contains("/"), name != "..", name != "." else { throw .leavesFolder(name) }
      let path = folder + "/" + name
      guard FileState(path: path) != nil else { throw NetconvError.missingShardFile.inFile(path) }
      let shard = try Shard(SourceProbe(path))
      source.files.append(shard.file)
      source.unchecked += shard.unchecked
      if let scan = shard.pickles { source.pickles.append(scan) }
      for tensor in shard.tensors {
        if map[tensor.name] == name { tensors.append(tensor) } else { surplus.append(tensor.name) }
      }
    }
    let found = Set(tensors.map(\.name))
    let missing = map.keys.filter { !found.contains($0) }.sorted()
    guard missing.isEmpty else { throw .missingInShards(missing) }
    var result = try ReadSource(
      NamedTensors(tensors), called: Directory.stem(of: probe.path), format: format,
      path: probe.path, framework: nil, files: source.files,
      notes: [SourceNote.surplus(surplus)].compactMap(\.self), unchecked: source.unchecked, options)
    result.documents = [index]
    result.pickles = PickleScan(joining: source.pickles)
    return result
  }

  /// Parses the index: the file of each tensor.
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

/// A shard.
private struct Shard {
  let file: RandomAccessFile
  let tensors: [(name: String, stored: StoredTensor)]
  var unchecked: [UncheckedPart] = []
  var pickles: PickleScan?

  /// Reads the tensor names of a shard.
  init(_ probe: SourceProbe) throws(NetconvError) {
    file = try probe.opened()
    if SafetensorsReader.recognizes(probe) {
      tensors = try SafetensorsFile(file).stored
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
