import Files
import ModelIR
import Readers

/// Opens an unnamed file with these bytes.
func openFile(_ bytes: [UInt8]) throws(NetconvError) -> RandomAccessFile {
  let output = try OutputFile.temporary()
  try output.write(bytes, at: 0)
  return try RandomAccessFile(reading: output, as: "input")
}

/// Runs `body` with the path of a file that contains `bytes`.
func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
  let path = "/tmp/netconv-fuzz-" + String(UInt64.random(in: .min ... .max), radix: 36)
  defer { Directory.remove(path) }
  try OutputFile(creating: path).write(bytes, at: 0)
  try body(path)
}

/// Reads a graph of the given format from `bytes`, including the values of its layers.
func parseGraph(_ bytes: [UInt8], format: String) throws {
  try withFile(bytes) { path in
    let source = try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true))
    guard source.format == format else { return }
    for tensor in source.network.tensors where tensor.count < 1 << 20 {
      let values = try tensor.values()
      try hold(values.count == tensor.count, "a tensor has another number of values")
    }
  }
}
