import ModelIR
import Readers

/// A PyTorch file of any version, or a pickle of arrays, in which every listed tensor can be read.
enum TorchTarget: FuzzTarget {
  static let name = "torch"

  static func parse(_ bytes: [UInt8]) throws {
    try withFile(bytes) { path in
      var options = ReaderOptions(acceptsWeights: true)
      options.acceptsNothing = true
      let source = try ReaderRegistry.read(path, options)
      guard ["pytorch", "pickle", "numpy"].contains(source.format) else { return }
      for part in source.unchecked {
        try hold(part.range.upperBound <= part.file.size, "a checksum covers more than the file")
      }
      var left = 1 << 22
      for tensor in source.network.tensors {
        left -= tensor.count
        guard left >= 0 else { break }
        let values = try mustWork("reading a tensor") { () throws(NetconvError) in
          try tensor.values()
        }
        try hold(values.count == tensor.count, "a tensor has another number of values")
      }
    }
  }
}
