import ModelIR
import Readers

/// Reads `bytes` as a source and, if it has the format `format`, all its weights.
func readWeights(_ bytes: [UInt8], as format: String) throws {
  try withFile(bytes) { path in
    let source = try ReaderRegistry.read(path)
    guard source.format == format else { return }
    let model = try mustWork("asking for the graph") { () throws(NetconvError) in
      try source.model
    }
    for tensor in model.tensors {
      let values = try mustWork("reading weights") { () throws(NetconvError) in
        try tensor.values()
      }
      try hold(values.count == tensor.count, "a tensor has another number of values")
      try hold(values.allSatisfy(\.isFinite), "a weight that is not finite was taken")
    }
  }
}
