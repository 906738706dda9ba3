import Documents
import Files
import ModelIR

/// The file with the graph of another framework, which has no places of its own to read back.
struct GraphFileLayout: ContainerLayout {
  let places: [TensorRecord.Place] = []
  /// The name of the file with the graph.
  let name: String
  /// The known bytes with their offsets.
  let bytes: [(offset: Int, bytes: [UInt8])]
  /// The tensors with the offsets and sizes of their values.
  let values: [(key: TensorKey, offset: Int, count: Int)]
  let entries: [OutputPlan.Entry]
  /// The name of the file with the values; `nil` if they are in the graph itself.
  var dataFile: String?

  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter {
    try GraphFileWriter(self, in: folder)
  }
}

extension ContainerContents {
  /// The name and the element type of each tensor.
  var stored: [TensorKey: (name: String, type: ElementType)] {
    Dictionary(entries.map { ($0.tensor.key, (name: $0.name, type: $0.elementType)) }) {
      first, _ in first
    }
  }
}

/// Writes the graph of another framework: its bytes are known before any value is, and the values are written into it.
struct GraphFileWriter: ContainerWriter {
  private let values: OutputFile
  private let offsets: [TensorKey: Int]
  private let entries: [OutputPlan.Entry]
  /// The values of layers that no output depends on, which are not part of the graph.
  private let others: PlacedValues

  /// Creates the file in `folder`.
  init(_ layout: GraphFileLayout, in folder: String) throws(NetconvError) {
    entries = layout.entries
    offsets = Dictionary(layout.values.map { ($0.key, $0.offset) }) { first, _ in first }
    others = try PlacedValues(entries)
    let graph = try OutputFile(creating: folder + "/" + layout.name)
    if let dataFile = layout.dataFile {
      values = try OutputFile(creating: folder + "/" + dataFile)
    } else {
      values = graph
    }
    values.reserve(layout.values.reduce(0) { max($0, $1.offset + $1.count) })
    for part in layout.bytes { try graph.write(part.bytes, at: part.offset) }
  }

  func placement(of index: Int) -> Placement {
    guard let offset = offsets[entries[index].tensor.key] else {
      return others.placement(of: index)
    }
    return Placement(file: values, offset: offset)
  }

  func finish(_ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]) {}
}
