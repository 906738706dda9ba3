import Documents
import Files
import ModelIR

extension SafetensorsContainer: WritableContainer {
  static func layout(of contents: ContainerContents) throws(NetconvError) -> any ContainerLayout {
    try SafetensorsLayout(contents)
  }

  /// A file whose header has netconv's metadata.
  static let replaceable = ReplaceableFile("a file") { file throws(NetconvError) in
    let length = try SafetensorsHeader.length(file.prefix(8), fileSize: file.size)
    let header = try SafetensorsHeader(
      file.bytes(at: 8, count: length), dataSize: file.size - 8 - length)
    return header.metadata[WeightsDocument.metadataKey] != nil
      || header.metadata[GGUFContainer.producerKey] != nil
  }
}

/// The layout of a safetensors file.
private struct SafetensorsLayout: ContainerLayout {
  private let header: [UInt8]
  private let quantization: MLXBlocks?
  let places: [TensorRecord.Place]

  init(_ contents: ContainerContents) throws(NetconvError) {
    let entries = contents.entries
    let header = try Self.header(contents)
    let bytes = try header.bytes()
    let start = bytes.count
    var offsets: [String: Int] = [:]
    for tensor in header.tensors { offsets[tensor.name] = start + tensor.range.lowerBound }
    self.header = bytes
    quantization = contents.quantization
    places = entries.map { Self.place(of: $0, at: offsets[$0.name] ?? start) }
  }

  private static func place(of entry: OutputPlan.Entry, at offset: Int) -> TensorRecord.Place {
    TensorRecord.Place(
      file: SafetensorsContainer.file, tensor: entry.name, offset: offset, length: entry.byteCount)
  }

  /// Returns the header, including the layout of each tensor, so that the file is self-describing.
  private static func header(
    _ contents: ContainerContents
  ) throws(NetconvError) -> SafetensorsHeader {
    var metadata = contents.metadata
    // Readers recognise quantised weights by their names and the configuration.
    guard contents.quantization == nil else {
      return try SafetensorsHeader(placing: contents.entries.map(\.stored), metadata: metadata)
    }
    let weights = WeightsDocument(contents.network.weights, contents.entries) {
      place(of: $0, at: 0)
    }
    metadata[WeightsDocument.metadataKey] = String(
      decoding: try JSONDocument.encodeCompact(weights), as: UTF8.self)
    return try SafetensorsHeader(
      placing: contents.entries.map(\.stored), metadata: metadata)
  }

  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter {
    try quantization?.writeConfig(in: folder)
    return try SafetensorsFormat(
      header, places, creating: "\(folder)/\(SafetensorsContainer.file)")
  }
}

/// `model.safetensors`: a header with all tensors, followed by the values without gaps.
///
/// The header is known before any value is, so tensors can be written in any order.
struct SafetensorsFormat: ContainerWriter {
  private let file: OutputFile
  private let places: [TensorRecord.Place]

  fileprivate init(
    _ header: [UInt8], _ places: [TensorRecord.Place], creating path: String
  ) throws(NetconvError) {
    self.places = places
    file = try OutputFile(creating: path)
    file.reserve(places.reduce(header.count) { $0 + $1.length })
    try file.write(header, at: 0)
  }

  func placement(of index: Int) -> Placement {
    Placement(file: file, offset: places[index].offset)
  }

  func finish(_ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]) {}
}
