import Files
import ModelIR

/// A TensorFlow checkpoint of version 1 or 2: variables by name.
///
/// Their values stay in the files.
struct TensorFlowCheckpoint: Sendable {
  /// The two formats.
  enum Version: Sendable {
    /// One file with all values, or several such files.
    case one
    /// An index, and files with the values.
    case two
  }

  /// A variable, or what else a checkpoint holds by name.
  struct Entry: Sendable {
    let name: String
    let shape: [Int]
    let type: TensorFlowType
    /// One for each slice; one box for a variable that is whole.
    let parts: [Part]

    /// How netconv reads the values; `nil` for those that are no numbers of its own.
    var elementType: ElementType? { type.elementType }
    /// Values, which can be counted.
    var count: Int { shape.reduce(1, *) }
  }

  /// Where values lie that are stored one after the other.
  struct Part: Sendable {
    /// Which of the variable's they are.
    let box: [Range<Int>]
    let file: RandomAccessFile
    let range: Range<Int>
    let encoding: Encoding
    /// The masked CRC-32C of the bytes, if they have one of their own.
    let checksum: UInt32?

    var count: Int { box.reduce(1) { $0 * $1.count } }
  }

  /// How values are written down.
  enum Encoding: Sendable {
    /// As they are in memory.
    case plain(ByteOrder)
    /// As numbers of protocol buffers, which have as many bytes as they need.
    case varints
  }

  let version: Version
  /// In the order of the names.
  let entries: [Entry]
  /// The index and those files with values that are used.
  let files: [RandomAccessFile]
  /// Values with their checksums, which nobody has compared.
  let unchecked: [UncheckedPart]
  private let places: [String: Int]

  /// What was read.
  init(
    _ version: Version, entries: [Entry], files: [RandomAccessFile], unchecked: [UncheckedPart]
  ) {
    self.version = version
    self.entries = entries
    self.files = files
    self.unchecked = unchecked
    places = Dictionary(
      entries.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The checkpoint at `prefix`, as TensorFlow names it: the path of its files without what tells them apart.
  ///
  /// - Throws: `cannotOpen` if there is none, `badData` if it is damaged.
  init(prefix: String) throws(NetconvError) {
    try self.init(CheckpointFiles(prefix: prefix))
  }

  /// The checkpoint of some files.
  ///
  /// - Throws: `cannotOpen` if one is missing, `badData` if they are damaged.
  init(_ files: CheckpointFiles) throws(NetconvError) {
    var tables: [SortedTable] = []
    for file in files.tables { tables.append(try SortedTable(file)) }
    guard let first = tables.first else { throw .noTable }
    self =
      try SavedTensorSlices.begins(first)
      ? SavedTensorSlices.checkpoint(tables)
      : TensorBundle.checkpoint(first, prefix: files.prefix)
  }

  /// The variable called `name`.
  subscript(name: String) -> Entry? { places[name].map { entries[$0] } }

  /// The values of a variable, in the order of its axes.
  ///
  /// - Throws: `badData` if they are no numbers that netconv reads.
  func stored(_ entry: Entry) throws(NetconvError) -> StoredTensor {
    guard let type = entry.elementType else {
      throw NetconvError.wrongVariableType(entry.type).inTensor(entry.name)
    }
    let sources = entry.parts.map { $0.source(of: type) }
    let source: any TensorSource
    if sources.count == 1 {
      source = sources[0]
    } else {
      source = SlicedTensorSource(
        type, count: entry.count,
        parts: zip(entry.parts, sources).map { part, source in
          SlicedTensorSource.Part(box: part.box, source: source, in: entry.shape)
        })
    }
    return StoredTensor(source: source, layout: nil, shape: entry.shape, path: entry.name)
  }
}

extension TensorFlowCheckpoint.Part {
  fileprivate func source(of type: ElementType) -> any TensorSource {
    switch encoding {
    case .plain(let order):
      FileTensorSource(
        file: file, offset: range.lowerBound, elementType: type, count: count, byteOrder: order)
    case .varints: VarintTensorSource(file, range, type, count: count)
    }
  }
}
