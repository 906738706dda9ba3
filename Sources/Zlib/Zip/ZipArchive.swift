import Files
import ModelIR

/// The entries of a ZIP archive, as its central directory lists them.
///
/// Source: PKWARE APPNOTE 6.3.10, sections 4.3 to 4.5.
public struct ZipArchive: Sendable {
  /// An entry of the archive.
  public struct Entry: Sendable {
    /// Its path in the archive.
    public let name: String
    /// 0 stored, 8 deflated.
    public let method: Int
    /// CRC-32 of the data.
    public let checksum: UInt32
    /// Bytes of data in the file.
    public let storedSize: Int
    /// Bytes of data once inflated.
    public let size: Int
    /// Where the data begins in the file.
    public let dataOffset: Int

    /// The data in the file, as it is stored.
    public var dataRange: Range<Int> { dataOffset..<dataOffset + storedSize }

    /// Whether it must be inflated.
    public var isDeflated: Bool { method == 8 }
  }

  /// The archive itself.
  public let file: RandomAccessFile
  /// The entries, in the order of the directory.
  public let entries: [Entry]
  /// The place of each name among them.
  private let places: [String: Int]

  /// Reads the central directory of `file`.
  ///
  /// - Throws: `badData` unless every entry lies within the file.
  public init(_ file: RandomAccessFile) throws(NetconvError) {
    self.file = file
    do {
      (entries, places) = try ZipDirectory(file).entries()
    } catch {
      throw error.inFile(file.path)
    }
  }

  /// Whether `bytes` begin as an archive does.
  public static func isZip(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: [0x50, 0x4b, 3, 4]) || bytes.starts(with: [0x50, 0x4b, 5, 6])
  }

  /// The entry called `name`.
  public func entry(named name: String) -> Entry? {
    places[name].map { entries[$0] }
  }

  /// Compares an entry that is stored as it is with its checksum, piece by piece.
  ///
  /// - Throws: `badData` if they differ or the entry is compressed, `inputOutput`.
  public func check(_ entry: Entry) throws(NetconvError) {
    do throws(NetconvError) {
      guard entry.method == 0 else {
        throw NetconvError.compressedEntry(entry.name, method: entry.method)
      }
      var checksum = CRC32()
      try file.forEachChunk(in: entry.dataRange) { checksum.update($0) }
      guard checksum.value == entry.checksum, entry.storedSize == entry.size else {
        throw .wrongChecksum(entry.name)
      }
    } catch {
      throw error.inFile(file.path)
    }
  }

  /// The data of an entry, inflated and checked.
  ///
  /// - Parameters:
  ///   - entry: one of ``entries``.
  ///   - limit: the most bytes that make sense.
  /// - Throws: `badData` if it is damaged or larger than `limit`.
  public func contents(of entry: Entry, limit: Int) throws(NetconvError) -> [UInt8] {
    guard entry.size <= limit else {
      throw NetconvError.inflatesTooFar(limit: limit).inFile(file.path)
    }
    return try contents(of: entry) { _ in entry.size }
  }

  /// The data of an entry that says at its beginning how long it is, inflated and checked.
  ///
  /// - Parameters:
  ///   - entry: one of ``entries``.
  ///   - size: the number of bytes of the data, by their beginning; `nil` as long as it is too short to
  ///     tell. Asked of deflated entries only: one that is stored is no longer than the file.
  /// - Throws: `badData` if it is damaged or longer than that; what `size` throws.
  public func contents(
    of entry: Entry, sizeFrom size: ([UInt8]) throws(NetconvError) -> Int?
  ) throws(NetconvError) -> [UInt8] {
    do throws(NetconvError) {
      let data =
        switch entry.method {
        case 0: try file.bytes(at: entry.dataOffset, count: entry.storedSize)
        case 8:
          try inflated(file, in: entry.dataRange, .deflate) { beginning throws(NetconvError) in
            try size(beginning).map { min($0, entry.size) }
          }
        default: throw NetconvError.compressedEntry(entry.name, method: entry.method)
        }
      var checksum = CRC32()
      data.withUnsafeBytes { checksum.update($0) }
      guard checksum.value == entry.checksum, data.count == entry.size else {
        throw .wrongChecksum(entry.name)
      }
      return data
    } catch {
      throw error.inFile(file.path)
    }
  }
}
