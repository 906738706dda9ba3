import Documents
import Files
import ModelIR

/// `model.safetensors`: a header that names every tensor, and the values behind it without holes.
///
/// The header is known before any value is, so that tensors are written in any order.
struct SafetensorsFormat: TensorFormat {
  private let file: OutputFile
  private let places: [TensorRecord.Place?]

  /// The header, which also says in which layout each tensor is: the file explains itself when it is alone.
  static func header(
    of entries: [OutputPlan.Entry], in network: Network, _ metadata: [String: String]
  ) throws(NetconvError) -> SafetensorsHeader {
    var metadata = metadata
    let weights = WeightsDocument(network.weights, entries) { entry in
      TensorRecord.Place(
        file: Manifest.safetensorsName, tensor: entry.name, offset: 0, length: entry.byteCount)
    }
    metadata[WeightsDocument.metadataKey] = String(
      decoding: try JSONDocument.encodeCompact(weights), as: UTF8.self)
    return try SafetensorsHeader(
      placing: entries.map { ($0.name, $0.elementType, $0.tensor.shape) }, metadata: metadata)
  }

  /// Where the tensors of `header` are in the file.
  static func places(
    of entries: [OutputPlan.Entry], in header: SafetensorsHeader
  ) throws(NetconvError) -> [TensorRecord.Place] {
    let start = try header.bytes().count
    var offsets: [String: Int] = [:]
    for tensor in header.tensors { offsets[tensor.name] = start + tensor.range.lowerBound }
    return entries.map { entry in
      TensorRecord.Place(
        file: Manifest.safetensorsName, tensor: entry.name, offset: offsets[entry.name] ?? start,
        length: entry.byteCount)
    }
  }

  init(_ plan: OutputPlan, in folder: String) throws(NetconvError) {
    file = try OutputFile(creating: folder + "/" + Manifest.safetensorsName)
    places = plan.entries.map { $0.places[.safetensors] }
    guard let header = try plan.safetensors?.bytes() else { return }
    file.reserve(plan.entries.reduce(header.count) { $0 + $1.byteCount })
    try file.write(header, at: 0)
  }

  func placement(of index: Int) -> Placement {
    Placement(file: file, offset: places[index]?.offset ?? 0)
  }

  func finish(_ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]) {}
}
