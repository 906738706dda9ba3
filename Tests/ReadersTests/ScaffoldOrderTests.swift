import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// The order of a scaffold's layers where the file lists tensors by their names.
@Suite struct ScaffoldOrderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A safetensors file of zeros, sorted by names as the library sorts them.
  private func scaffold(
    _ tensors: [String: [Int]], convention: String? = "torch"
  ) throws -> (layers: [String], doubt: String?) {
    var start = 0
    var members: [String] = []
    for (name, shape) in tensors.sorted(by: { $0.key < $1.key }) {
      let end = start + 4 * shape.reduce(1, *)
      members.append(
        "\"\(name)\":{\"dtype\":\"F32\",\"shape\":\(shape),\"data_offsets\":[\(start),\(end)]}")
      start = end
    }
    let header = Array("{\(members.joined(separator: ","))}".utf8)
    let length = withUnsafeBytes(of: UInt64(header.count).littleEndian) { Array($0) }
    let path = try folder.write(
      length + header + [UInt8](repeating: 0, count: start), to: "weights.safetensors")
    let source = try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true))
    let scaffold = try GraphScaffold(source, convention: convention)
    let document =
      try JSONSerialization.jsonObject(with: Data(scaffold.text)) as? [String: Any] ?? [:]
    let layers = document["layers"] as? [[String: Any]] ?? []
    return (
      layers.filter { $0["parameters"] != nil }.compactMap { $0["name"] as? String },
      scaffold.doubt
    )
  }

  private func convolution(
    _ name: String, _ outputs: Int, _ inputs: Int, size: Int = 3
  ) -> [String: [Int]] {
    ["\(name).weight": [outputs, inputs, size, size], "\(name).bias": [outputs]]
  }

  private func dense(_ name: String, _ outputs: Int, _ inputs: Int) -> [String: [Int]] {
    ["\(name).weight": [outputs, inputs], "\(name).bias": [outputs]]
  }

  private func normalization(_ name: String, _ channels: Int) -> [String: [Int]] {
    var tensors: [String: [Int]] = [:]
    for word in ["weight", "bias", "running_mean", "running_var"] {
      tensors["\(name).\(word)"] = [channels]
    }
    return tensors
  }

  private func joined(_ parts: [[String: [Int]]]) -> [String: [Int]] {
    parts.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }

  @Test func `a normalisation stands behind its convolution, and the head at the end`() throws {
    let found = try scaffold(
      joined([normalization("bn1", 8), convolution("conv1", 8, 3), dense("fc", 5, 8)]))
    #expect(found.layers == ["conv1", "bn1", "fc"])
    #expect(found.doubt == nil)
  }

  @Test func `shapes decide against names`() throws {
    let found = try scaffold(
      joined([dense("a_out", 5, 16), dense("m_hidden", 16, 32), dense("z_in", 32, 7)]))
    #expect(found.layers == ["z_in", "m_hidden", "a_out"])
    #expect(found.doubt == nil)
  }

  @Test func `numbers in names are numbers`() throws {
    let convolutions = (1...12).map { convolution("conv\($0)", 4, $0 == 1 ? 3 : 4) }
    let found = try scaffold(joined(convolutions + [dense("classifier", 5, 64)]))
    #expect(found.layers == (1...12).map { "conv\($0)" } + ["classifier"])
    #expect(found.doubt == nil)
  }

  @Test func `where nothing decides, somebody has to look`() throws {
    let found = try scaffold(joined([convolution("b", 4, 4), convolution("a", 4, 4)]))
    #expect(found.layers == ["a", "b"])
    #expect(
      found.doubt
        == "the source lists layers by their names, and their shapes fit in several orders; check the order of the "
        + "layers")
  }

  /// The order of torchvision's ResNet, whose `downsample` has the same input as its block.
  @Test func `a network with branches is ordered by its names, with a warning`() throws {
    var parts = [convolution("conv1", 8, 3, size: 7), normalization("bn1", 8)]
    var expected = ["conv1", "bn1"]
    for (layer, inputs, outputs) in [(1, 8, 8), (2, 8, 16)] {
      for block in 0..<2 {
        let name = "layer\(layer).\(block)"
        let first = block == 0 ? inputs : outputs
        parts += [
          convolution("\(name).conv1", outputs, first), normalization("\(name).bn1", outputs),
          convolution("\(name).conv2", outputs, outputs), normalization("\(name).bn2", outputs),
        ]
        expected += ["conv1", "bn1", "conv2", "bn2"].map { "\(name).\($0)" }
        guard block == 0, inputs != outputs else { continue }
        parts += [
          convolution("\(name).downsample.0", outputs, inputs, size: 1),
          normalization("\(name).downsample.1", outputs),
        ]
        expected += ["\(name).downsample.0", "\(name).downsample.1"]
      }
    }
    let found = try scaffold(joined(parts + [dense("fc", 10, 16)]))
    #expect(found.layers == expected + ["fc"])
    #expect(found.doubt?.contains("in no order without branches") == true)
  }

  @Test func `what TF-Slim calls weights and biases is known`() throws {
    let found = try scaffold(
      [
        "conv1/weights": [3, 3, 3, 8], "conv1/biases": [8], "conv2/weights": [3, 3, 8, 6],
        "conv2/biases": [6], "fc3/weights": [96, 5], "fc3/biases": [5],
      ], convention: nil)
    #expect(found.layers == ["conv1", "conv2", "fc3"])
    #expect(found.doubt == nil)
  }
}
