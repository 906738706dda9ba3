import Files
import ModelIR
import Numpy
import Zlib

/// A reader of array files: `.npy`, alone or in `.npz`, and IDX, plain or gzip.
///
/// Small arrays are held in memory. A large array stays in its file or, if it was compressed, in an
/// unnamed temporary file.
struct ArrayReader {
  /// The largest array that is held in memory, in bytes of float32.
  let heldSize: Int
  private var budget: MemoryBudget

  /// Creates a reader with one memory budget for all arrays.
  ///
  /// - Parameter heldSize: The largest array that is held in memory, in bytes.
  init(holding heldSize: Int = SampleArray.heldSize) {
    self.heldSize = heldSize
    budget = MemoryBudget()
  }

  /// Reserves the memory of targets.
  ///
  /// - Throws: `badData` if the budget is exceeded.
  mutating func take(_ targets: Targets) throws(NetconvError) {
    try budget.take(product([targets.values.count, MemoryLayout<Double>.size]))
  }

  // MARK: - Files with one array

  /// Reads the array of a file: IDX or `.npy`, plain or gzip.
  ///
  /// - Throws: `cannotOpen`, or `badData` if the format is unknown.
  mutating func array(at path: String) throws(NetconvError) -> SampleArray {
    let file = try RandomAccessFile(path: path)
    do throws(NetconvError) {
      guard isGzip(try file.prefix(2)) else { return try array(in: file, 0..<file.size) }
      let start = inflatedStart(try file.prefix(1 << 12), .gzip)
      guard let extent = try Self.extent(start), extent.size > heldSize else {
        return try array(bytes(of: file))
      }
      let temporary = try OutputFile.temporary()
      try inflate(file, in: 0..<file.size, .gzip, size: extent.size, into: temporary)
      return try array(in: RandomAccessFile(reading: temporary, as: path), 0..<extent.size)
    } catch {
      throw error.inFile(path)
    }
  }

  /// Reads the bytes of a file with one array, plain or gzip.
  ///
  /// - Throws: Any error that ``array(at:)`` throws.
  mutating func bytes(at path: String) throws(NetconvError) -> [UInt8] {
    let file = try RandomAccessFile(path: path)
    do throws(NetconvError) {
      return try bytes(of: file)
    } catch {
      throw error.inFile(path)
    }
  }

  private mutating func bytes(of file: RandomAccessFile) throws(NetconvError) -> [UInt8] {
    if isGzip(try file.prefix(2)) {
      return try inflated(file, in: 0..<file.size, .gzip) { beginning throws(NetconvError) in
        try budget.take(Self.extent(beginning))
      }
    }
    // A file of the wrong length is not read.
    if let extent = try Self.extent(file.prefix(1 << 16)), extent.size != file.size {
      throw .wrongLength(file.size, header: 0, data: extent.size)
    }
    let bytes = try file.contents(limit: MemoryBudget.limit.bytes)
    try budget.take(Self.extent(bytes), of: bytes)
    return bytes
  }

  // MARK: - Files with several arrays

  /// Reads the arrays of an `.npz` by name, or the single array of an `.npy`, named "".
  ///
  /// - Throws: `cannotOpen`, or `badData` with the name of the unreadable array.
  mutating func arrays(at path: String) throws(NetconvError) -> [(name: String, array: SampleArray)]
  {
    let file = try RandomAccessFile(path: path)
    do throws(NetconvError) {
      let start = try file.prefix(8)
      if NumpyHeader.recognizes(start) { return [("", try array(in: file, 0..<file.size))] }
      var arrays: [(name: String, array: SampleArray)] = []
      for (name, entry, archive) in try Self.entries(of: file, start) {
        do throws(NetconvError) {
          arrays.append((name, try array(of: entry, in: archive)))
        } catch {
          throw error.inTensor(name)
        }
      }
      return arrays
    } catch {
      throw error.inFile(path)
    }
  }

  /// The arrays of an `.npz` by name.
  static func entries(
    of file: RandomAccessFile, _ start: [UInt8]
  ) throws(NetconvError) -> [(name: String, entry: ZipArchive.Entry, archive: ZipArchive)] {
    guard ZipArchive.isZip(start) else { throw .notNumpy }
    let archive = try ZipArchive(file)
    return archive.entries.filter { $0.name.hasSuffix(".npy") }.map {
      (String($0.name.dropLast(4)), $0, archive)
    }
  }

  /// Reads the bytes of an entry.
  mutating func bytes(
    of entry: ZipArchive.Entry, in archive: ZipArchive
  ) throws(NetconvError) -> [UInt8] {
    let bytes = try archive.contents(of: entry) { beginning throws(NetconvError) in
      try budget.take(NumpyArray.extent(beginning))
    }
    if !entry.isDeflated { try budget.take(NumpyArray.extent(bytes), of: bytes) }
    return bytes
  }

  /// Reads the array of an entry.
  mutating func array(
    of entry: ZipArchive.Entry, in archive: ZipArchive
  ) throws(NetconvError) -> SampleArray {
    guard entry.size > heldSize else {
      let array = try NumpyArray(bytes(of: entry, in: archive))
      return SampleArray(shape: array.shape, elementType: array.elementType, .floats(array.values))
    }
    guard entry.isDeflated else {
      try archive.check(entry)
      return try array(in: archive.file, entry.dataRange)
    }
    let temporary = try OutputFile.temporary()
    try archive.inflate(entry, into: temporary)
    return try array(
      in: RandomAccessFile(reading: temporary, as: archive.file.path), 0..<entry.size)
  }
}

// MARK: - Bytes of one array

extension ArrayReader {
  /// Reads the array in an uncompressed range of a file.
  private mutating func array(
    in file: RandomAccessFile, _ range: Range<Int>
  ) throws(NetconvError) -> SampleArray {
    let start = try file.bytes(
      at: range.lowerBound, count: min(range.count, NumpyHeader.sizeLimit + 12))
    guard NumpyHeader.recognizes(start) else { return try bytesArray(in: file, range, start) }
    let (header, count) = try NumpyArray.checkedHeader(start, size: range.count)
    guard try product([count, MemoryLayout<Float>.size]) <= heldSize else {
      return SampleArray(
        shape: header.shape, elementType: header.elementType,
        .file(StoredSamples(header, in: file, at: range.lowerBound)))
    }
    let array = try NumpyArray(header, count: count, in: file, range, &budget)
    return SampleArray(shape: array.shape, elementType: array.elementType, .floats(array.values))
  }

  /// Reads an IDX array in an uncompressed range of a file.
  private mutating func bytesArray(
    in file: RandomAccessFile, _ range: Range<Int>, _ start: [UInt8]
  ) throws(NetconvError) -> SampleArray {
    if let extent = try IDX.extent(start) {
      guard extent.size == range.count else {
        throw .wrongLength(range.count, header: 0, data: extent.size)
      }
      let header = try IDX.header(start)
      guard extent.size <= heldSize else {
        return SampleArray(
          shape: header.shape, elementType: .uint8,
          .file(
            StoredSamples(
              bytesAt: range.lowerBound + header.size, in: file, shape: header.shape)))
      }
    }
    let bytes = try file.bytes(at: range.lowerBound, count: range.count)
    try budget.take(IDX.extent(bytes), of: bytes)
    return try array(bytes)
  }

  private func array(_ bytes: [UInt8]) throws(NetconvError) -> SampleArray {
    if NumpyHeader.recognizes(bytes) {
      let array = try NumpyArray(bytes)
      return SampleArray(shape: array.shape, elementType: array.elementType, .floats(array.values))
    }
    let array = try IDX(bytes)
    return SampleArray(shape: array.shape, elementType: .uint8, .bytes(array.values))
  }

  private static func extent(_ bytes: [UInt8]) throws(NetconvError) -> ArrayExtent? {
    // There are too few bytes to distinguish the formats.
    guard bytes.count >= 12 else { return nil }
    return NumpyHeader.recognizes(bytes) ? try NumpyArray.extent(bytes) : try IDX.extent(bytes)
  }
}
