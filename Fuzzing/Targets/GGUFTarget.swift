import ModelIR
import Readers

/// A GGUF file: all listed tensors can be read unless refused, and the amount of metadata is bounded by the file size.
enum GGUFTarget: FuzzTarget {
  static let name = "gguf"

  static func parse(_ bytes: [UInt8]) throws {
    try withFile(bytes) { path in
      var options = ReaderOptions(acceptsWeights: true)
      options.acceptsNothing = true
      let source = try ReaderRegistry.read(path, options)
      guard source.format == name else { return }
      try hold(source.facts.count <= bytes.count / 13 + 1, "there are more keys than bytes")
      var left = 1 << 22
      for tensor in source.network.tensors where !(tensor.stored.source is UnreadValues) {
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
