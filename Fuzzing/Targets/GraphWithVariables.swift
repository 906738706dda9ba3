import Files
import ModelIR
import Readers

/// A TensorFlow graph with the checkpoint of its variables: the lengths of the graph and of the
/// index in four bytes each, the graph, the index, and the file of values.
struct GraphWithVariables {
  private let graph: [UInt8]
  private let index: [UInt8]
  private let values: [UInt8]

  /// - Returns: `nil` if the lengths are missing.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 8 else { return nil }
    let lengths = [bytes[..<4], bytes[4..<8]].map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
    let rest = bytes[8...]
    graph = Array(rest.prefix(lengths[0]))
    index = Array(rest.dropFirst(lengths[0]).prefix(lengths[1]))
    values = Array(rest.dropFirst(lengths[0]).dropFirst(lengths[1]))
  }

  /// Writes the three files into a folder, and reads a source and all its values.
  ///
  /// - Parameters:
  ///   - graphName: The file name of the graph.
  ///   - prefix: The path of the checkpoint without extensions.
  ///   - opened: The file or folder to read; empty for the folder itself.
  func read(graphName: String, prefix: String, opening opened: String) throws {
    let folder = "/tmp/netconv-fuzz-" + String(UInt64.random(in: .min ... .max), radix: 36)
    defer { Directory.remove(folder) }
    try Directory.create(folder)
    if let slash = prefix.lastIndex(of: "/") {
      try Directory.create("\(folder)/\(prefix[..<slash])")
    }
    try OutputFile(creating: "\(folder)/\(graphName)").write(graph, at: 0)
    try OutputFile(creating: "\(folder)/\(prefix).index")
      .write(CheckpointTarget.signed(index), at: 0)
    try OutputFile(creating: "\(folder)/\(prefix).data-00000-of-00001").write(values, at: 0)
    let source = try ReaderRegistry.read(
      opened.isEmpty ? folder : "\(folder)/\(opened)", ReaderOptions(acceptsWeights: true))
    for tensor in source.network.tensors where tensor.count < 1 << 20 {
      let values = try tensor.values()
      try hold(values.count == tensor.count, "a tensor has another number of values")
    }
  }
}
