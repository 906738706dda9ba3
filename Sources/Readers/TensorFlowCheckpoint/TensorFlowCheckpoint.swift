import Files
import ModelIR

/// A TensorFlow checkpoint of version 1 or 2: variables by name.
///
/// The values stay in the files.
struct TensorFlowCheckpoint: Sendable {
  /// The version of the checkpoint format.
  enum Version: Sendable {
    /// One or more files that contain all values.
    case one
    /// An index and data files.
    case two
  }

  /// A variable, or another named entry of a checkpoint.
  struct Entry: Sendable {
    let name: String
    let shape: [Int]
    let type: TensorFlowType
    /// The parts, one per slice; a single part for a variable that is not partitioned.
    let parts: [Part]

    /// The equivalent element type; `nil` if the dtype is not supported.
    var elementType: ElementType? { type.elementType }
    /// The number of values, which does not overflow.
    var count: Int { shape.reduce(1, *) }
  }

  /// A contiguous range of stored values.
  struct Part: Sendable {
    /// The index range within the variable, for each axis.
    let box: [Range<Int>]
    let file: RandomAccessFile
    let range: Range<Int>
    let encoding: Encoding
    /// The masked CRC-32C of the bytes, if stated separately.
    let checksum: UInt32?

    var count: Int { box.reduce(1) { $0 * $1.count } }
  }

  /// The encoding of values.
  enum Encoding: Sendable {
    /// Fixed-size values in memory representation.
    case plain(ByteOrder)
    /// Protocol buffer varints.
    case varints
  }

  let version: Version
  /// The entries, sorted by name.
  let entries: [Entry]
  /// The index and the used data files.
  let files: [RandomAccessFile]
  /// The values whose checksums have yet to be verified.
  let unchecked: [UncheckedPart]
  private let places: [String: Int]

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

  /// Opens the checkpoint with the path prefix `prefix`.
  ///
  /// - Throws: `cannotOpen` if there is none; `badData` if it is damaged.
  init(prefix: String) throws(NetconvError) {
    try self.init(CheckpointFiles(prefix: prefix))
  }

  /// Reads the checkpoint in these files.
  ///
  /// - Throws: `cannotOpen` if a file is missing; `badData` if one is damaged.
  init(_ files: CheckpointFiles) throws(NetconvError) {
    var tables: [SortedTable] = []
    for file in files.tables { tables.append(try SortedTable(file)) }
    guard let first = tables.first else { throw .noTable }
    self =
      try SavedTensorSlices.begins(first)
      ? SavedTensorSlices.checkpoint(tables)
      : TensorBundle.checkpoint(first, prefix: files.prefix)
  }

  /// Returns the variable named `name`.
  subscript(name: String) -> Entry? { places[name].map { entries[$0] } }

  /// Returns the values of a variable in C order.
  ///
  /// - Throws: `badData` if the dtype is not supported.
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

extension NetconvError {
  fileprivate static func wrongVariableType(_ type: TensorFlowType) -> NetconvError {
    NetconvError(.badData, "holds values of the type \(type), which are not weights")
  }
}
