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
  /// The known bytes of that file with their offsets.
  var dataBytes: [(offset: Int, bytes: [UInt8])] = []
  /// The contents of other files by name.
  var others: [String: [UInt8]] = [:]

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
    let graph = try Self.file(layout.name, in: folder)
    values =
      try layout.dataFile.map { name throws(NetconvError) in
        try Self.file(name, in: folder)
      } ?? graph
    values.reserve(layout.values.reduce(0) { max($0, $1.offset + $1.count) })
    for part in layout.bytes { try graph.write(part.bytes, at: part.offset) }
    for part in layout.dataBytes { try values.write(part.bytes, at: part.offset) }
    for (name, bytes) in layout.others { try Self.file(name, in: folder).write(bytes, at: 0) }
  }

  /// Creates a file, and the folders below `folder` that it is in.
  private static func file(_ name: String, in folder: String) throws(NetconvError) -> OutputFile {
    var parent = folder
    for part in name.split(separator: "/").dropLast() {
      parent += "/" + part
      if !Directory.isDirectory(parent) { try Directory.create(parent) }
    }
    return try OutputFile(creating: folder + "/" + name)
  }

  func placement(of index: Int) -> Placement {
    guard let offset = offsets[entries[index].tensor.key] else {
      return others.placement(of: index)
    }
    return Placement(file: values, offset: offset)
  }

  func finish(_ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]) {}
}
