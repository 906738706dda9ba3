import Files
import ModelIR
import ProtocolBuffers

/// The index of a V2 checkpoint, which locates the values in the data files.
///
/// Source: tensorflow/core/protobuf/tensor_bundle.proto; tensorflow/core/util/tensor_bundle/tensor_bundle.h.
struct TensorBundle {
  private let table: SortedTable
  private let prefix: String
  private let header: BundleHeader
  private let bytes: WireBytes
  private var shards: [Int: RandomAccessFile] = [:]
  private var slicesLeft = TensorSlice.totalLimit

  /// Reads the checkpoint of an index.
  ///
  /// - Throws: `cannotOpen` if a data file is missing; `badData` if one is damaged.
  static func checkpoint(
    _ table: SortedTable, prefix: String
  ) throws(NetconvError) -> TensorFlowCheckpoint {
    let index = table.file
    for block in table.blocks { try table.check(block) }
    do throws(NetconvError) {
      var bundle = try TensorBundle(table, prefix: prefix)
      var entries: [TensorFlowCheckpoint.Entry] = []
      entries.reserveCapacity(table.entries.count)
      // The keys of slices start with a zero, so they sort before names.
      for entry in table.entries where entry.key.first ?? 0 != 0 {
        entries.append(try bundle.entry(entry))
      }
      return TensorFlowCheckpoint(
        .two, entries: entries,
        files: [index] + bundle.shards.sorted { $0.key < $1.key }.map(\.value),
        unchecked: entries.flatMap(\.unchecked))
    } catch {
      throw error.inFile(index.path)
    }
  }

  private init(_ table: SortedTable, prefix: String) throws(NetconvError) {
    self.table = table
    self.prefix = prefix
    guard let first = table[[]] else { throw .noCheckpointHeader }
    bytes = WireBytes(table.file)
    header = try BundleHeader(bytes.message("BundleHeaderProto", at: first.value))
  }

  private mutating func entry(
    _ entry: SortedTable.Entry
  ) throws(NetconvError) -> TensorFlowCheckpoint.Entry {
    guard let name = String(utf8: entry.key) else {
      throw .variableNotUTF8(at: entry.value.lowerBound)
    }
    do throws(NetconvError) {
      let own = try BundleEntry(bytes.message("BundleEntryProto", at: entry.value))
      return TensorFlowCheckpoint.Entry(
        name: name, shape: own.shape, type: own.type,
        parts: own.slices.isEmpty
          ? [try part(own, box: own.shape.map { 0..<$0 })] : try slices(of: own, name))
    } catch {
      throw error.inTensor(name)
    }
  }

  /// Returns the parts of a partitioned variable, each of which has a key of its own.
  private mutating func slices(
    of whole: BundleEntry, _ name: String
  ) throws(NetconvError) -> [TensorFlowCheckpoint.Part] {
    slicesLeft -= whole.slices.count
    guard slicesLeft >= 0 else { throw .tooManySlices(limit: TensorSlice.totalLimit) }
    var parts: [TensorFlowCheckpoint.Part] = []
    for slice in whole.slices {
      guard let entry = table[slice.key(of: name)] else { throw .missingSlice(slice) }
      let box = try slice.box(in: whole.shape)
      let own = try BundleEntry(bytes.message("BundleEntryProto", at: entry.value))
      guard own.type == whole.type, own.shape == box.map(\.count), own.slices.isEmpty else {
        throw .otherSlice(slice, own.shape, own.type)
      }
      parts.append(try part(own, box: box))
    }
    guard SlicedTensorSource.fills(whole.shape, parts.map(\.box)) else {
      throw .incompleteSlices(whole.slices.count, whole.shape)
    }
    return parts
  }

  private mutating func part(
    _ entry: BundleEntry, box: [Range<Int>]
  ) throws(NetconvError) -> TensorFlowCheckpoint.Part {
    if let type = entry.type.elementType {
      let expected = try product(entry.shape + [type.byteCount])
      guard entry.size == expected else {
        throw .wrongVariableSize(entry.size, expected: expected, shape: entry.shape, type: type)
      }
    }
    let file = try shard(entry.shard)
    guard entry.offset >= 0, entry.size >= 0, entry.offset <= file.size,
      entry.size <= file.size - entry.offset
    else {
      throw NetconvError.variableOutside(entry.offset, size: entry.size, fileSize: file.size)
        .inFile(file.path)
    }
    return TensorFlowCheckpoint.Part(
      box: box, file: file, range: entry.offset..<entry.offset + entry.size,
      encoding: .plain(header.byteOrder), checksum: entry.checksum)
  }

  private mutating func shard(_ number: Int) throws(NetconvError) -> RandomAccessFile {
    if let file = shards[number] { return file }
    guard number >= 0, number < header.shardCount else {
      throw .wrongShard(number, count: header.shardCount)
    }
    let file = try CheckpointFiles.shard(prefix, number, of: header.shardCount)
    shards[number] = file
    return file
  }
}

/// The header of an index.
private struct BundleHeader {
  let shardCount: Int
  let byteOrder: ByteOrder

  private enum Field {
    static let shardCount = 1
    static let endianness = 2
    static let version = 3
    static let oldestReader = 2
  }

  /// The version of the format that this implementation supports.
  private static let version = 1

  init(_ message: WireMessage) throws(NetconvError) {
    var (count, order, oldestReader) = (0, 0, 0)
    try message.forEachField { (field) throws(NetconvError) in
      switch field.number {
      case Field.shardCount: count = try field.integer()
      case Field.endianness: order = try field.integer()
      case Field.version:
        try field.inner("VersionDef").forEachField { (field) throws(NetconvError) in
          if field.number == Field.oldestReader { oldestReader = try field.integer() }
        }
      default: break
      }
    }
    guard oldestReader <= Self.version else {
      throw .newerCheckpoint(oldestReader, known: Self.version)
    }
    guard (0...1).contains(order) else { throw .wrongEndianness(order) }
    shardCount = count
    byteOrder = order == 0 ? .little : .big
  }
}

/// The index entry of a variable or a slice.
private struct BundleEntry {
  private(set) var type = TensorFlowType(rawValue: 0)
  private(set) var shape: [Int] = []
  private(set) var shard = 0
  private(set) var offset = 0
  private(set) var size = 0
  private(set) var checksum: UInt32 = 0
  private(set) var slices: [TensorSlice] = []

  private enum Field {
    static let type = 1
    static let shape = 2
    static let shard = 3
    static let offset = 4
    static let size = 5
    static let checksum = 6
    static let slice = 7
  }

  init(_ message: WireMessage) throws(NetconvError) {
    try message.forEachField { (field) throws(NetconvError) in
      switch field.number {
      case Field.type: type = TensorFlowType(rawValue: try field.integer())
      case Field.shape: shape = try field.inner("TensorShapeProto").tensorShape()
      case Field.shard: shard = try field.integer()
      case Field.offset: offset = try field.integer()
      case Field.size: size = try field.integer()
      case Field.checksum: checksum = try field.fixed32()
      case Field.slice:
        guard slices.count < TensorSlice.countLimit else {
          throw .tooManySlices(limit: TensorSlice.countLimit)
        }
        slices.append(try TensorSlice(field.inner("TensorSliceProto")))
      default: break
      }
    }
  }
}

extension TensorFlowCheckpoint.Entry {
  /// The byte ranges with checksums, except those of strings and objects, whose checksums do not cover exactly their
  /// bytes.
  fileprivate var unchecked: [UncheckedPart] {
    guard type.isFixedSize else { return [] }
    return parts.compactMap { part in
      part.checksum.map { checksum in
        UncheckedPart(
          name: name, file: part.file, range: part.range, checksum: .maskedCRC32C(checksum))
      }
    }
  }
}

extension NetconvError {
  fileprivate static func newerCheckpoint(_ version: Int, known: Int) -> NetconvError {
    NetconvError(
      .badData,
      "is for readers of version \(version) of the format, netconv knows version \(known)")
  }

  fileprivate static func wrongEndianness(_ value: Int) -> NetconvError {
    NetconvError(.badData, "its order of bytes is \(value), expected 0 (little) or 1 (big)")
  }

  fileprivate static func variableNotUTF8(at offset: Int) -> NetconvError {
    NetconvError(.badData, "the name of the variable at byte \(offset) is not text in UTF-8")
  }

  fileprivate static func variableOutside(_ offset: Int, size: Int, fileSize: Int) -> NetconvError {
    NetconvError(
      .badData,
      "its \(size) bytes from byte \(offset) on go beyond the end of the file, which holds \(fileSize); the "
        + "file is truncated or damaged")
  }

  fileprivate static func otherSlice(
    _ slice: TensorSlice, _ shape: [Int], _ type: TensorFlowType
  ) -> NetconvError {
    NetconvError(
      .badData,
      "its slice \(slice) holds \(shape) of \(type), unlike the whole variable")
  }
}
