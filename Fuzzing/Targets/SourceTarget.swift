import ModelIR
import Readers

/// A file that is converted: what format it has, and what that format's reader makes of it.
///
/// Not HDF5: what is damaged there, libhdf5 finds.
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
