import Files
import ModelIR

/// Bytes as an open file without a name.
func openFile(_ bytes: [UInt8]) throws(NetconvError) -> RandomAccessFile {
  let output = try OutputFile.temporary()
  try output.write(bytes, at: 0)
  return try RandomAccessFile(reading: output, as: "input")
}

/// Runs `body` with the path of a file that holds `bytes`.
func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
  let path = "/tmp/netconv-fuzz-" + String(UInt64.random(in: .min ... .max), radix: 36)
  defer { Directory.remove(path) }
  try OutputFile(creating: path).write(bytes, at: 0)
  try body(path)
}
