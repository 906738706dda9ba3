import Files
import ModelIR
import Numpy
import Zlib

/// Reads and writes NumPy's `.npz`: a ZIP archive of `.npy` files.
public enum NumpyArchive {
  /// Reads all arrays of a file into memory: those of an `.npz` by name, or that of an `.npy`,
  /// named "".
  ///
  /// - Throws: `cannotOpen`, or `badData` with the name of the unreadable array.
  public static func read(
    _ path: String
  ) throws(NetconvError) -> [(name: String, array: NumpyArray)] {
    var reader = ArrayReader(holding: .max)
    var arrays: [(name: String, array: NumpyArray)] = []
    for (name, array) in try reader.arrays(at: path) {
      arrays.append((name, try NumpyArray(array)))
    }
    return arrays
  }

  /// Opens the arrays of a file by name; large arrays stay in the file.
  ///
  /// - Parameter heldSize: The largest array that is held in memory, in bytes of float32.
  /// - Throws: Any error that ``read(_:)`` throws.
  package static func open(
    _ path: String, holding heldSize: Int = SampleArray.heldSize
  ) throws(NetconvError) -> [(name: String, array: SampleArray)] {
    var reader = ArrayReader(holding: heldSize)
    return try reader.arrays(at: path)
  }

  /// Writes arrays as an `.npz` of uncompressed entries, in the given order.
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
