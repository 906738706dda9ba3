import Files
import ModelIR
import Numpy
import Zlib

/// Reading and writing NumPy's `.npz`: a ZIP archive of `.npy` files.
public enum NumpyArchive {
  /// The arrays of a file by name: those of an `.npz`, or the single one of an `.npy`, called "".
  ///
  /// - Throws: `cannotOpen`, or `badData` naming the array that cannot be read.
  public static func read(
    _ path: String
  ) throws(NetconvError) -> [(name: String, array: NumpyArray)] {
    var budget = MemoryBudget()
    return try read(path, &budget)
  }

  /// The arrays of a file, within a budget; see ``read(_:)``.
  static func read(
    _ path: String, _ budget: inout MemoryBudget
  ) throws(NetconvError) -> [(name: String, array: NumpyArray)] {
    let file = try RandomAccessFile(path: path)
    guard NumpyHeader.recognizes(try file.prefix(8)) else {
      return try read(path, &budget) { _, bytes throws(NetconvError) in try NumpyArray(bytes) }
    }
    do throws(NetconvError) {
      return [("", try NumpyArray(file, &budget))]
    } catch {
      throw error.inFile(path)
    }
  }

  /// What `decode` makes of the name and the bytes of each array of a file, within a budget; see ``read(_:)``.
  static func read<Array>(
    _ path: String, _ budget: inout MemoryBudget,
    decode: (String, [UInt8]) throws(NetconvError) -> Array
  ) throws(NetconvError) -> [(name: String, array: Array)] {
    let file = try RandomAccessFile(path: path)
    do throws(NetconvError) {
      let prefix = try file.prefix(8)
      if NumpyHeader.recognizes(prefix) {
        let bytes = try file.contents(limit: MemoryBudget.limit.bytes)
        try budget.take(NumpyArray.extent(bytes), of: bytes)
        return [("", try decode("", bytes))]
      }
      guard ZipArchive.isZip(prefix) else { throw .notNumpy }
      return try arrays(in: ZipArchive(file), &budget, decode)
    } catch {
      throw error.inFile(path)
    }
  }

  private static func arrays<Array>(
    in archive: ZipArchive, _ budget: inout MemoryBudget,
    _ decode: (String, [UInt8]) throws(NetconvError) -> Array
  ) throws(NetconvError) -> [(name: String, array: Array)] {
    var arrays: [(name: String, array: Array)] = []
    for entry in archive.entries where entry.name.hasSuffix(".npy") {
      let name = String(entry.name.dropLast(4))
      do throws(NetconvError) {
        arrays.append((name, try decode(name, bytes(of: entry, in: archive, &budget))))
      } catch {
        throw error.inTensor(name)
      }
    }
    return arrays
  }

  private static func bytes(
    of entry: ZipArchive.Entry, in archive: ZipArchive, _ budget: inout MemoryBudget
  ) throws(NetconvError) -> [UInt8] {
    let bytes = try archive.contents(of: entry) { beginning throws(NetconvError) in
      try budget.take(NumpyArray.extent(beginning))
    }
    if !entry.isDeflated { try budget.take(NumpyArray.extent(bytes), of: bytes) }
    return bytes
  }

  /// Writes arrays as an `.npz` of stored entries, in the order given.
  ///
  /// - Throws: `cannotCreate` or `inputOutput`.
  public static func write(
    _ arrays: [(name: String, array: NDArray<Float>)], to file: OutputFile
  ) throws(NetconvError) {
    var layout = ZipLayout()
    var checksums: [UInt32] = []
    for (name, array) in arrays {
      let bytes = NumpyArray.encode(array)
      let entry = layout.append(name + ".npy", size: bytes.count, alignment: 64)
      var checksum = CRC32()
      bytes.withUnsafeBytes { checksum.update($0) }
      checksums.append(checksum.value)
      try file.write(
        layout.localHeader(of: entry, checksum: checksum.value) + bytes, at: entry.headerOffset)
    }
    try file.write(layout.directory(checksums: checksums), at: layout.end)
  }
}
