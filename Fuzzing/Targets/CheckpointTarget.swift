import Files
import ModelIR
import Readers

/// A TensorFlow checkpoint: the length of the index in four bytes, the index, and the file of
/// values; without an index, a checkpoint of version 1.
enum CheckpointTarget: FuzzTarget {
  static let name = "checkpoint"

  static func parse(_ bytes: [UInt8]) throws {
    guard bytes.count >= 4 else { return }
    let length = bytes[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
    let rest = Array(bytes[4...])
    let (table, values) = (
      length == 0 ? rest : Array(rest.prefix(length)), Array(rest.dropFirst(length))
    )
    let prefix = "/tmp/netconv-fuzz-" + String(UInt64.random(in: .min ... .max), radix: 36)
    let files = length == 0 ? [prefix] : [prefix + ".index", prefix + ".data-00000-of-00001"]
    defer { files.forEach(Directory.remove) }
    try OutputFile(creating: files[0]).write(try signed(table), at: 0)
    if files.count > 1 { try OutputFile(creating: files[1]).write(values, at: 0) }
    try read(files[0])
  }

  /// The table with correct checksums of all blocks.
  static func signed(_ table: [UInt8]) throws -> [UInt8] {
    var table = TableTarget.signed(table)
    for block in (try? blocksOfTable(openFile(table))) ?? [] {
      table = TableTarget.signed(table, block)
    }
    return table
  }

  private static func read(_ path: String) throws {
    let source = try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true))
    guard source.format == "tensorflow-checkpoint" else { return }
    for part in source.unchecked {
      try hold(part.range.upperBound <= part.file.size, "a checksum covers more than the file")
    }
    for tensor in source.network.tensors where tensor.count < 1 << 20 {
      let values = try tensor.values()
      try hold(values.count == tensor.count, "a tensor has another number of values")
    }
  }
}
