import Documents
import Files
import ModelIR

extension ShardsContainer: WritableContainer {
  static func layout(of contents: ContainerContents) throws(NetconvError) -> any ContainerLayout {
    try ShardsLayout(contents)
  }
}

/// The layout of several safetensors files: which tensor is in which file, and where.
private struct ShardsLayout: ContainerLayout {
  /// A file: its name, its header and the size of its values.
  struct Shard {
    let name: String
    let header: [UInt8]
    let byteCount: Int
  }

  private let shards: [Shard]
  private let index: [UInt8]
  private let quantization: MLXBlocks?
  /// The shard of each tensor.
  private let shardOfTensor: [Int]
  let places: [TensorRecord.Place]

  init(_ contents: ContainerContents) throws(NetconvError) {
    let entries = contents.entries
    let assigned = ShardsContainer.assigned(entries.map(\.byteCount), limit: contents.shardSize)
    var shards: [Shard] = []
    var shardOfTensor = [Int](repeating: 0, count: entries.count)
    var places: [Int: TensorRecord.Place] = [:]
    var files: [String: String] = [:]
    for (number, indices) in assigned.enumerated() {
      let name = ShardsContainer.shard(number + 1, of: assigned.count)
      let header = try SafetensorsHeader(
        placing: indices.map { entries[$0].stored }, metadata: contents.metadata)
      let bytes = try header.bytes()
      let offsets = Dictionary(
        uniqueKeysWithValues: header.tensors.map { ($0.name, bytes.count + $0.range.lowerBound) })
      for index in indices {
        let entry = entries[index]
        shardOfTensor[index] = number
        files[entry.name] = name
        places[index] = TensorRecord.Place(
          file: name, tensor: entry.name, offset: offsets[entry.name] ?? 0,
          length: entry.byteCount)
      }
      shards.append(
        Shard(
          name: name, header: bytes,
          byteCount: indices.reduce(bytes.count) { $0 + entries[$1].byteCount }))
    }
    quantization = contents.quantization
    (self.shards, self.shardOfTensor) = (shards, shardOfTensor)
    self.places = entries.indices.compactMap { places[$0] }
    index = try JSONDocument.encode(
      ShardIndexDocument(
        totalSize: entries.reduce(0) { $0 + $1.byteCount }, files: files))
  }

  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter {
    try quantization?.writeConfig(in: folder)
    let files = try shards.map { shard throws(NetconvError) in
      let file = try OutputFile(creating: "\(folder)/\(shard.name)")
      file.reserve(shard.byteCount)
      try file.write(shard.header, at: 0)
      return file
    }
    try OutputFile(creating: "\(folder)/\(ShardsContainer.file)").write(index, at: 0)
    return ShardsFormat(files: shardOfTensor.map { files[$0] }, offsets: places.map(\.offset))
  }
}

/// The files of the shards, whose headers are written before any value is.
private struct ShardsFormat: ContainerWriter {
  /// The file of each tensor.
  let files: [OutputFile]
  let offsets: [Int]

  func placement(of index: Int) -> Placement {
    Placement(file: files[index], offset: offsets[index])
  }

  func finish(_ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]) {}
}
