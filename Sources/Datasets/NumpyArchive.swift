import Files
import ModelIR
import Numpy
import Zlib

/// Reading and writing NumPy's `.npz`: a ZIP archive of `.npy` files.
public enum NumpyArchive {
  /// The arrays of a file by name, in memory: those of an `.npz`, or the single one of an `.npy`, called "".
  ///
  /// - Throws: `cannotOpen`, or `badData` naming the array that cannot be read.
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

  /// The arrays of a file by name, of which large ones stay in it.
  ///
  /// - Parameter heldSize: what an array may take in memory, as float32.
  /// - Throws: as ``read(_:)``.
  package static func open(
    _ path: String, holding heldSize: Int = SampleArray.heldSize
  ) throws(NetconvError) -> [(name: String, array: SampleArray)] {
    var reader = ArrayReader(holding: heldSize)
    return try reader.arrays(at: path)
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
