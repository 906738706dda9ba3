import Files
import HDF5
import ModelIR
import Readers

/// The file `checkpoint`, in which TensorFlow records the latest checkpoint of a folder, with an
/// empty index.
///
/// HDF5 files are skipped, because libhdf5 checks them.
enum CheckpointListTarget: FuzzTarget {
  static let name = "checkpoint-list"

  static func parse(_ bytes: [UInt8]) throws {
    guard !HDF5File.isHDF5(prefix: bytes) else { return }
    let folder = "/tmp/netconv-fuzz-" + String(UInt64.random(in: .min ... .max), radix: 36)
    defer { Directory.remove(folder) }
    try Directory.create(folder)
    try OutputFile(creating: "\(folder)/checkpoint").write(bytes, at: 0)
    try OutputFile(creating: "\(folder)/model.ckpt-1.index").write([], at: 0)
    do throws(NetconvError) {
      _ = try ReaderRegistry.read(
        "\(folder)/checkpoint", ReaderOptions(acceptsWeights: true))
    } catch {
      // The reader got as far as the index, which is empty.
      if error.file == "\(folder)/model.ckpt-1.index" { return }
      throw error
    }
  }
}
