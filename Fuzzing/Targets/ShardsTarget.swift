import Files
import ModelIR
import Readers

/// The index of sharded weights, with two files that it may name.
enum ShardsTarget: FuzzTarget {
  static let name = "shards"

  static func parse(_ bytes: [UInt8]) throws {
    let folder = "/tmp/netconv-fuzz-" + String(UInt64.random(in: .min ... .max), radix: 36)
    defer { Directory.remove(folder) }
    try Directory.create(folder)
    try OutputFile(creating: "\(folder)/one").write(safetensors(["a": 2, "b": 3]), at: 0)
    try OutputFile(creating: "\(folder)/two").write(safetensors(["c": 1, "d": 0]), at: 0)
    let index = "\(folder)/model.safetensors.index.json"
    try OutputFile(creating: index).write(bytes, at: 0)
    let source = try ReaderRegistry.read(index, ReaderOptions(acceptsWeights: true))
    guard source.format == "shards" else { return }
    let counts = ["a": 2, "b": 3, "c": 1, "d": 0]
    for tensor in source.network.tensors {
      let path = tensor.stored.path
      try hold(tensor.count == counts[path], "'\(path)' has another number of values")
      let values = try mustWork("reading a tensor") { () throws(NetconvError) in
        try tensor.values()
      }
      try hold(values.count == tensor.count, "a tensor has another number of values")
    }
  }

  /// Tensors of zeros with these counts.
  private static func safetensors(_ counts: [String: Int]) -> [UInt8] {
    var start = 0
    var members: [String] = []
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      let end = start + 4 * count
      members.append(
        "\"\(name)\":{\"dtype\":\"F32\",\"shape\":[\(count)],\"data_offsets\":[\(start),\(end)]}")
      start = end
    }
    let header = Array("{\(members.joined(separator: ","))}".utf8)
    return withUnsafeBytes(of: UInt64(header.count).littleEndian) { Array($0) } + header
      + [UInt8](repeating: 0, count: start)
  }
}
