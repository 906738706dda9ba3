import Files
import ModelIR

/// The header of a GGUF file: metadata, and the name, type, shape and byte range of each tensor.
///
/// Source: ggml/docs/gguf.md; ggml/src/gguf.cpp for the checks.
struct GGUFHeader: Sendable {
  /// An entry of the tensor table.
  struct Tensor: Sendable {
    /// The tensor's name, unique in the file.
    let name: String
    let type: GGUFType
    /// The sizes of the axes, outermost first; the file stores them in reverse.
    let shape: [Int]
    /// The byte range of the values in the file.
    let range: Range<Int>
  }

  let file: RandomAccessFile
  let version: UInt32
  let byteOrder: ByteOrder
  /// The metadata, in file order.
  let metadata: [(key: String, value: GGUFValue)]
  /// The tensors, in file order.
  let tensors: [Tensor]

  /// The magic bytes of the format.
  static let magic = Array("GGUF".utf8)
  private static let mostKeys = 1 << 16
  private static let mostTensors = 1 << 20
  private static let longestName = 1 << 16
  private static let mostAxes = 4
  /// The minimum sizes in bytes of a metadata entry and of a tensor entry.
  private static let (leastOfKey, leastOfTensor) = (13, 24)

  /// Reads the header of `file`.
  ///
  /// - Throws: `badData` if the version is not supported, a size or offset is invalid, or the file is damaged.
  init(_ file: RandomAccessFile) throws(NetconvError) {
    self.file = file
    do throws(NetconvError) {
      (version, byteOrder) = try Self.version(of: file)
      var cursor = GGUFCursor(file, at: 8, byteOrder)
      let count = try cursor.count(of: Self.leastOfTensor)
      let keyCount = try cursor.count(of: Self.leastOfKey)
      guard count <= Self.mostTensors else {
        throw .tooManyInGGUF(UInt64(count), at: 8)
      }
      guard keyCount <= Self.mostKeys else {
        throw .tooManyInGGUF(UInt64(keyCount), at: 16)
      }
      metadata = try Self.metadata(&cursor, count: keyCount)
      let alignment = try Self.alignment(metadata)
      var records: [Record] = []
      records.reserveCapacity(count)
      for _ in 0..<count { records.append(try Record(&cursor)) }
      // A file without tensors has no padding after the header.
      let start =
        count == 0 ? file.size : (cursor.offset + alignment - 1) / alignment * alignment
      tensors = try Self.placed(records, from: start, alignment, in: file.size)
    } catch {
      throw error.inFile(file.path)
    }
  }

  /// The metadata value of a key; `nil` if there is none.
  subscript(key: String) -> GGUFValue? { metadata.first { $0.key == key }?.value }

  /// Reads the version and detects the byte order.
  ///
  /// The version is a small integer. If its low 16 bits, read as little endian, are 0, the file is big endian.
  private static func version(
    of file: RandomAccessFile
  ) throws(NetconvError) -> (UInt32, ByteOrder) {
    let start = try file.prefix(8)
    guard start.count == 8 else { throw .shortGGUF(start.count) }
    let little = start[4...].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let order: ByteOrder = little & 0xffff == 0 ? .big : .little
    let version = order == .little ? little : little.byteSwapped
    guard 2...3 ~= version else { throw .otherVersionOfGGUF(version) }
    return (version, order)
  }

  private static func metadata(
    _ cursor: inout GGUFCursor, count: Int
  ) throws(NetconvError) -> [(key: String, value: GGUFValue)] {
    var metadata: [(key: String, value: GGUFValue)] = []
    var keys: Set<String> = []
    for _ in 0..<count {
      let key = try cursor.name(limit: longestName)
      guard keys.insert(key).inserted else { throw .repeatedKeyInGGUF(key) }
      do throws(NetconvError) {
        metadata.append((key, try GGUFValue(cursor.integer(), &cursor)))
      } catch {
        throw error.inKeyOfGGUF(key)
      }
    }
    return metadata
  }

  private static func alignment(
    _ metadata: [(key: String, value: GGUFValue)]
  ) throws(NetconvError) -> Int {
    guard let value = metadata.first(where: { $0.key == "general.alignment" })?.value else {
      return 32
    }
    guard case .unsigned(let alignment, bits: 32) = value, alignment.nonzeroBitCount == 1 else {
      throw .wrongAlignmentOfGGUF(value.text)
    }
    return Int(alignment)
  }

  /// A tensor entry as stored, with an offset relative to the start of the values.
  private struct Record {
    let name: String
    let type: GGUFType
    let shape: [Int]
    let offset: UInt64

    init(_ cursor: inout GGUFCursor) throws(NetconvError) {
      name = try cursor.name(limit: GGUFHeader.longestName)
      do throws(NetconvError) {
        let count = try cursor.integer(UInt32.self)
        guard count <= GGUFHeader.mostAxes else {
          throw .manyAxesInGGUF(count, limit: GGUFHeader.mostAxes)
        }
        var sizes: [Int] = []
        for _ in 0..<count {
          let size = try cursor.integer(UInt64.self)
          guard let size = Int(exactly: size) else { throw .largeAxisInGGUF(size) }
          sizes.append(size)
        }
        shape = sizes.reversed()
        let number = try cursor.integer(UInt32.self)
        guard let type = GGUFType(number) else { throw .unknownTypeInGGUF(number) }
        self.type = type
        offset = try cursor.integer()
      } catch {
        throw error.inTensor(name)
      }
    }

    /// The size of the values in bytes.
    ///
    /// - Throws: `badData` if a row is not a whole number of blocks.
    func byteCount() throws(NetconvError) -> Int {
      let row = shape.last ?? 1
      guard row.isMultiple(of: type.valueCount) else { throw .partOfBlock(row, type) }
      return try product(shape.dropLast() + [row / type.valueCount, type.byteCount])
    }
  }

  private static func placed(
    _ records: [Record], from start: Int, _ alignment: Int, in size: Int
  ) throws(NetconvError) -> [Tensor] {
    var tensors: [Tensor] = []
    tensors.reserveCapacity(records.count)
    var names = Set<String>(minimumCapacity: records.count)
    for record in records {
      guard names.insert(record.name).inserted else { throw .repeatedTensorInGGUF(record.name) }
      do throws(NetconvError) {
        _ = try product(record.shape)
        let count = try record.byteCount()
        guard record.offset.isMultiple(of: UInt64(alignment)) else {
          throw .unalignedInGGUF(record.offset, alignment)
        }
        let available = max(0, size - start)
        guard record.offset <= UInt64(available), count <= available - Int(record.offset) else {
          throw .outsideOfGGUF(record.offset, count, dataSize: available)
        }
        let first = start + Int(record.offset)
        tensors.append(
          Tensor(
            name: record.name, type: record.type, shape: record.shape, range: first..<first + count)
        )
      } catch {
        throw error.inTensor(record.name)
      }
    }
    try checkOverlaps(tensors)
    return tensors
  }

  private static func checkOverlaps(_ tensors: [Tensor]) throws(NetconvError) {
    var end = 0
    let inOrder = tensors.filter { !$0.range.isEmpty }
      .sorted { ($0.range.lowerBound, $0.name) < ($1.range.lowerBound, $1.name) }
    for tensor in inOrder {
      guard tensor.range.lowerBound >= end else {
        throw NetconvError.overlapInGGUF(tensor.range.lowerBound).inTensor(tensor.name)
      }
      end = tensor.range.upperBound
    }
  }
}

extension NetconvError {
  fileprivate static func otherVersionOfGGUF(_ version: UInt32) -> NetconvError {
    NetconvError(
      .badData,
      "is a GGUF file of version \(version), expected 2 or 3; convert the model again with a current llama.cpp"
    )
  }

  fileprivate static func repeatedKeyInGGUF(_ key: String) -> NetconvError {
    NetconvError(.badData, "the metadata has the key \(quoted(key)) twice")
  }

  fileprivate static func wrongAlignmentOfGGUF(_ found: String) -> NetconvError {
    NetconvError(
      .badData,
      "'general.alignment' is \(quoted(found)), expected a power of 2 as an unsigned integer of 32 bits"
    )
  }

  fileprivate static func manyAxesInGGUF(_ count: UInt32, limit: Int) -> NetconvError {
    NetconvError(.badData, "has \(count) axes, expected at most \(limit)")
  }

  fileprivate static func largeAxisInGGUF(_ size: UInt64) -> NetconvError {
    NetconvError(.badData, "has an axis of \(size)")
  }

  fileprivate static func unknownTypeInGGUF(_ type: UInt32) -> NetconvError {
    NetconvError(
      .badData,
      "is of the type \(type) of GGML, which this netconv does not know, so that nothing tells its size"
    )
  }

  fileprivate static func partOfBlock(_ row: Int, _ type: GGUFType) -> NetconvError {
    NetconvError(
      .badData,
      "has rows of \(row) values, expected a multiple of \(type.valueCount) (\(type.name))")
  }

  fileprivate static func unalignedInGGUF(_ offset: UInt64, _ alignment: Int) -> NetconvError {
    NetconvError(
      .badData, "begins at byte \(offset) of the values, expected a multiple of \(alignment)")
  }

  fileprivate static func outsideOfGGUF(_ offset: UInt64, _ count: Int, dataSize: Int)
    -> NetconvError
  {
    NetconvError(
      .badData,
      "takes \(count) bytes from byte \(offset) of the values, of which there are \(dataSize); the file is truncated or "
        + "damaged")
  }

  fileprivate static func overlapInGGUF(_ offset: Int) -> NetconvError {
    NetconvError(.badData, "begins at byte \(offset) of the file, inside of another tensor")
  }
}
