import ModelIR
import Readers

/// A model of ONNX: what becomes of its nodes, down to the values of its layers.
enum ONNXTarget: FuzzTarget {
  static let name = "onnx"

  static func parse(_ bytes: [UInt8]) throws {
    try withFile(bytes) { path in
      let source = try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true))
      guard source.format == "onnx" else { return }
      for tensor in source.network.tensors where tensor.count < 1 << 20 {
        let values = try tensor.values()
        try hold(values.count == tensor.count, "a tensor has another number of values")
      }
    }
  }
}
