import ModelIR
import Readers

/// A source file of any format, and its reader.
///
/// HDF5 files are skipped, because libhdf5 checks them.
enum SourceTarget: FuzzTarget {
  static let name = "source"

  static func parse(_ bytes: [UInt8]) throws {
    guard bytes.firstRange(of: Array("\u{89}HDF".unicodeScalars.map { UInt8($0.value) })) == nil
    else { return }
    try withFile(bytes) { path in
      let source = try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true))
      try hold(source.path == path, "another file was read")
      try mustWork("looking at the file once more") { () throws(NetconvError) in
        try source.checkUnchanged()
      }
    }
  }
}
