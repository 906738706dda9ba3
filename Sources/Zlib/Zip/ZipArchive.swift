import Files
import ModelIR

/// A ZIP archive with the entries of its central directory.
///
/// Source: PKWARE APPNOTE 6.3.10, sections 4.3 to 4.5.
public struct ZipArchive: Sendable {
  /// An entry of the archive.
  public struct Entry: Sendable {
    /// The path in the archive.
    public let name: String
    /// The compression method: 0 for stored, 8 for deflated.
    public let method: Int
    /// The CRC-32 of the data.
    public let checksum: UInt32
    /// The size of the data in the file, in bytes.
    public let storedSize: Int
    /// The size of the inflated data, in bytes.
    public let size: Int
    /// The offset of the data in the file.
    public let dataOffset: Int

    /// The byte range of the data in the file.
    public var dataRange: Range<Int> { dataOffset..<dataOffset + storedSize }

    /// True if the entry is deflated.
    public var isDeflated: Bool { method == 8 }
  }

  /// The archive file.
  public let file: RandomAccessFile
  /// The entries, in the order of the central directory.
  public let entries: [Entry]
  /// The index of each name in ``entries``.
  private let places: [String: Int]

  /// Reads the central directory of `file`.
  ///
  /// - Throws: `badData` unless every entry is within the file.
  public init(_ file: RandomAccessFile) throws(NetconvError) {
    self.file = file
    do {
      (entries, places) = try ZipDirectory(file).entries()
    } catch {
      throw error.inFile(file.path)
    }
  }

  /// Returns true if `bytes` start with a ZIP signature.
  public static func isZip(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: [0x50, 0x4b, 3, 4]) || bytes.starts(with: [0x50, 0x4b, 5, 6])
  }

  /// Returns the entry named `name`.
  public func entry(named name: String) -> Entry? {
    places[name].map { entries[$0] }
  }

  /// Verifies the checksum of a stored entry, piece by piece.
  ///
  /// - Throws: `badData` if the checksum is wrong or the entry is compressed; `inputOutput`.
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

  /// Returns the data of an entry, inflated and verified.
  ///
  /// - Parameters:
  ///   - entry: One of ``entries``.
  ///   - limit: The maximum size in bytes.
  /// - Throws: `badData` if the entry is damaged or larger than `limit`.
  public func contents(of entry: Entry, limit: Int) throws(NetconvError) -> [UInt8] {
    guard entry.size <= limit else {
      throw NetconvError.inflatesTooFar(limit: limit).inFile(file.path)
    }
    return try contents(of: entry) { _ in entry.size }
  }

  /// Returns the data of an entry that starts with its own size, inflated and verified.
  ///
  /// - Parameters:
  ///   - entry: One of ``entries``.
  ///   - size: Returns the total size for a prefix of the data; `nil` as long as the prefix is too short. It is only
  ///     called
  ///     for deflated entries, since a stored entry is no longer than the file.
  /// - Throws: `badData` if the entry is damaged or longer than that; the error of `size`.
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

extension NetconvError {
  fileprivate static func compressedEntry(_ entry: String, method: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the archive's entry \(quoted(entry)) uses compression method \(method), expected "
        + "stored or deflated")
  }
}
