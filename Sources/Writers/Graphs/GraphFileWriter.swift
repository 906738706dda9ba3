import Documents
import Files
import ModelIR

/// Writes the graph of another framework: its bytes are known before any value is, and the values are written into it.
struct GraphFileWriter: ContainerWriter {
  private let values: OutputFile
  private let offsets: [TensorKey: Int]
  private let entries: [OutputPlan.Entry]
  /// The values of layers that no output depends on, which are not part of the graph.
  private let others: PlacedValues

  /// Creates the file in `folder`.
  ///
  /// - Parameters:
  ///   - bytes: the known bytes with their offsets.
  ///   - places: the tensors with the offsets and sizes of their values.
  ///   - dataFile: the name of the file with the values; `nil` if they are in the graph itself.
  init(
    _ name: String, _ bytes: [(offset: Int, bytes: [UInt8])],
    _ places: [(key: TensorKey, offset: Int, count: Int)], _ entries: [OutputPlan.Entry],
    dataFile: String? = nil, in folder: String
  ) throws(NetconvError) {
    self.entries = entries
    offsets = Dictionary(places.map { ($0.key, $0.offset) }) { first, _ in first }
    others = try PlacedValues(entries)
    let graph = try OutputFile(creating: folder + "/" + name)
    if let dataFile {
      values = try OutputFile(creating: folder + "/" + dataFile)
    } else {
      values = graph
    }
    values.reserve(places.reduce(0) { max($0, $1.offset + $1.count) })
    for part in bytes { try graph.write(part.bytes, at: part.offset) }
  }

  func placement(of index: Int) -> Placement {
    guard let offset = offsets[entries[index].tensor.key] else {
      return others.placement(of: index)
    }
    return Placement(file: values, offset: offset)
  }

  func finish(_ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]) {}
}
