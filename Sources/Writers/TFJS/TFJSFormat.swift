import Documents
import Files
import ModelIR

extension TFJSContainer: WritableContainer {
  static func layout(
    of contents: ContainerContents
  ) throws(NetconvError) -> any ContainerLayout {
    guard case .model(let model) = contents.network else { throw .noGraphForTFJS }
    return try TFJSLayout(TFJSDocument(model), contents.entries)
  }
}

private struct TFJSLayout: ContainerLayout {
  let places: [TensorRecord.Place] = []
  private let document: TFJSDocument
  private let entries: [OutputPlan.Entry]
  /// The index of each array's entry.
  private let indices: [Int]

  init(_ document: TFJSDocument, _ entries: [OutputPlan.Entry]) throws(NetconvError) {
    self.document = document
    self.entries = entries
    let known = Dictionary(
      entries.enumerated().map { ($1.tensor.key, $0) }, uniquingKeysWith: { first, _ in first })
    indices = try document.weights.map { weight throws(NetconvError) in
      guard let index = known[weight.key] else {
        throw NetconvError.noValuesForTFJS.inTensor(weight.name)
      }
      return index
    }
  }

  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter {
    try TFJSFormat(
      topology: document.config,
      weights: zip(document.weights.map(\.name), indices).map { ($0, $1) },
      entries, in: folder)
  }
}

/// `model.json` and its shards: the concatenated arrays, split regardless of their boundaries.
///
/// The values are collected in an unnamed temporary file, and copied to the shards when all of them are there; each
/// shard is read back and verified.
private struct TFJSFormat: ContainerWriter {
  private let topology: JSONValue
  private let weights: [(name: String, index: Int)]
  private let entries: [OutputPlan.Entry]
  private let folder: String
  private let values: PlacedValues

  init(
    topology: JSONValue, weights: [(name: String, index: Int)], _ entries: [OutputPlan.Entry],
    in folder: String
  ) throws(NetconvError) {
    (self.topology, self.weights, self.entries) = (topology, weights, entries)
    self.folder = folder
    values = try PlacedValues(entries)
  }

  func placement(of index: Int) -> Placement { values.placement(of: index) }

  func finish(
    _ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]
  ) throws(NetconvError) {
    var size = 0
    for weight in weights {
      let (sum, overflow) = size.addingReportingOverflow(entries[weight.index].byteCount)
      guard !overflow else { throw .tooManyBytesForTFJS }
      size = sum
    }
    let count = (size + TFJSContainer.shardSize - 1) / TFJSContainer.shardSize
    let names = (0..<count).map { TFJSContainer.shard($0 + 1, of: count) }
    try writeShards(names)
    let document = TFJSModelDocument(
      topology: topology,
      manifest: [
        .init(
          paths: names,
          weights: weights.map { name, index in
            .init(name: name, entries[index])
          })
      ])
    let file = try OutputFile(creating: folder + "/" + TFJSContainer.file)
    try file.write(try JSONDocument.encode(document), at: 0)
  }

  private func writeShards(_ names: [String]) throws(NetconvError) {
    let size = TFJSContainer.shardSize
    var shard: [UInt8] = []
    var names = names[...]
    for weight in weights {
      let length = entries[weight.index].byteCount
      var done = 0
      while done < length {
        let part = min(length - done, size - shard.count)
        shard += try values.bytes(done..<done + part, of: weight.index)
        done += part
        guard shard.count == size, let name = names.popFirst() else { continue }
        try write(shard, to: name)
        shard.removeAll(keepingCapacity: true)
      }
    }
    if let name = names.popFirst() { try write(shard, to: name) }
  }

  private func write(_ bytes: [UInt8], to name: String) throws(NetconvError) {
    let file = try OutputFile(creating: folder + "/" + name)
    try file.write(bytes, at: 0)
    var found = [UInt8](repeating: 0, count: bytes.count)
    let failure = found.withUnsafeMutableBytes { buffer -> NetconvError? in
      do throws(NetconvError) {
        try file.read(at: 0, into: buffer)
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
    guard found == bytes else { throw NetconvError.differentShard.inFile(folder + "/" + name) }
  }
}

/// The contents of `model.json`.
private struct TFJSModelDocument: Encodable {
  struct Topology: Encodable {
    let version = "2.15.0"
    let backend = "tensorflow"
    let config: JSONValue

    enum CodingKeys: String, CodingKey {
      case version = "keras_version"
      case backend
      case config = "model_config"
    }
  }
  struct Group: Encodable {
    let paths: [String]
    let weights: [Weight]
  }
  struct Weight: Encodable {
    struct Quantization: Encodable {
      let dtype: String
      let original: String

      enum CodingKeys: String, CodingKey {
        case dtype
        case original = "original_dtype"
      }
    }
    let name: String
    let shape: [Int]
    let dtype = "float32"
    let quantization: Quantization?

    init(name: String, _ entry: OutputPlan.Entry) {
      self.name = name
      shape = entry.tensor.shape
      quantization =
        entry.elementType == .float16
        ? Quantization(dtype: "float16", original: "float32") : nil
    }
  }
  let format = "layers-model"
  let generatedBy = "keras v2.15.0"
  let convertedBy = "netconv"
  let modelTopology: Topology
  let weightsManifest: [Group]

  init(topology: JSONValue, manifest: [Group]) {
    modelTopology = Topology(config: topology)
    weightsManifest = manifest
  }
}

extension NetconvError {
  fileprivate static let noGraphForTFJS = NetconvError(
    .usage,
    "a layers model of TensorFlow.js needs the graph, which is unknown; choose another target")

  fileprivate static let noValuesForTFJS = NetconvError(.internal, "has no values to write")

  fileprivate static let tooManyBytesForTFJS = NetconvError(
    .badData, "the weights have too many bytes to count")

  fileprivate static let differentShard = NetconvError(
    .inputOutput, "does not contain the written data; the disk may be damaged")
}
