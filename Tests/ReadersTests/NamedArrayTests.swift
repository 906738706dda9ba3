import Datasets
import Files
import ModelIR
import Readers
import TestSupport
import Testing

/// Tensors by name, without a graph, as other libraries write them.
@Suite("safetensors and NumPy from anyone")
struct NamedArrayTests {
  /// (7 i + 3) mod 61, an eighth of it.
  private static func values(_ count: Int) -> [Float] {
    (0..<count).map { (index: Int) -> Float in Float((index * 7 + 3) % 61) / 8 }
  }

  private static func read(_ name: String) throws -> ReadSource {
    try ReaderRegistry.read(TorchTests.fixture(name), ReaderOptions(acceptsWeights: true))
  }

  @Test(
    "tensors are those that the library wrote, in one file or in several",
    arguments: [
      ("small.safetensors", "safetensors", "pytorch"),
      ("shards.safetensors.index.json", "shards", nil),
    ])
  func safetensors(name: String, format: String, framework: String?) throws {
    let source = try Self.read(name)
    #expect(source.format == format)
    #expect(source.framework == framework)
    #expect(source.notes.isEmpty)
    let expected = try NumpyArchive.read(TorchTests.fixture("small.npz"))
    let tensors = source.network.tensors
    #expect(tensors.count == expected.count)
    for (name, array) in expected {
      let tensor = try #require(tensors.first { $0.stored.path == name })
      #expect(tensor.storedShape == array.shape)
      #expect(try tensor.values().map(\.bitPattern) == array.values.map(\.bitPattern))
    }
    #expect(
      Set(tensors.map { "\($0.layer) \($0.spec.role)" }) == [
        "0 kernel", "0 bias", "1 gamma", "1 beta", "1 mean", "1 variance",
      ])
  }

  @Test("a file of MLX says nothing of itself, by null")
  func mlx() throws {
    // mlx 0.32.4: mx.save_safetensors("a.safetensors", {"a.weight": mx.ones((2, 3))})
    let header =
      #"{"__metadata__":null,"a.weight":{"data_offsets":[0,24],"dtype":"F32","shape":[2,3]}}"#
    let folder = try TemporaryFolder()
    let path = try folder.write(
      withUnsafeBytes(of: UInt64(header.utf8.count).littleEndian) { Array($0) }
        + Array(header.utf8) + littleEndian([Float](repeating: 1, count: 6)), to: "a.safetensors")
    let source = try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true))
    #expect(source.framework == nil)
    #expect(source.network.tensors.map(\.storedShape) == [[2, 3]])
    #expect(try source.network.tensors[0].values() == [Float](repeating: 1, count: 6))
  }

  @Test("a file of several is read alone, with a warning")
  func oneShard() throws {
    let source = try Self.read("shards-00002-of-00002.safetensors")
    #expect(source.network.tensors.count == 4)
    #expect(
      source.notes.map(\.line) == [
        "the file is one of 2 by its name; the network's other weights are in the others, and the file that ends in "
          + ".index.json has them all"
      ])
    #expect(source.notes.allSatisfy { $0.isWarning })
  }

  @Test("arrays go by their names, and come in C order")
  func arrays() throws {
    let source = try Self.read("keras-like.npz")
    #expect(source.format == "numpy")
    #expect(
      source.network.tensors.map { "\($0.layer) \($0.spec.role) \($0.storedShape)" } == [
        "fc1 kernel [3, 4]", "fc1 bias [4]", "fc2 kernel [4, 2]",
      ])
    let values = Self.values(12)
    #expect(
      try source.network.tensors.map { try $0.values() } == [
        values, Array(values[..<4]), Array(values[..<8]),
      ])
    let alone = try Self.read("alone.npy")
    #expect(alone.network.tensors.map(\.stored.path) == ["alone"])
    #expect(try alone.network.tensors[0].values() == values)
    #expect(alone.network.tensors[0].storedShape == [3, 4])
  }

  @Test("a dictionary of arrays that NumPy has saved is read as the pickle that it is")
  func table() throws {
    let source = try Self.read("table.npy")
    #expect(source.format == "numpy")
    let tensors = source.network.tensors
    #expect(
      tensors.map { "\($0.layer) \($0.spec.role) \($0.storedShape)" } == [
        "conv kernel [3, 2, 2, 2]", "conv bias [3]",
      ])
    #expect(tensors.map(\.stored.path) == ["conv.weight", "conv.bias"])
    #expect(try tensors[0].values() == Self.values(24))
    let scan = try #require(source.pickles)
    #expect(scan.outside.isEmpty)
  }

  @Test(
    "lists and tables of arrays, which NumPy pickles, are read as what they are",
    arguments: [
      ("lists.npz", "lists-expected.npz"), ("lists-deflated.npz", "lists-expected.npz"),
      ("tables.npy", "tables.npz"),
    ])
  func objects(name: String, expected: String) throws {
    let source = try Self.read(name)
    let expected = try NumpyArchive.read(TorchTests.fixture(expected))
    let tensors = source.network.tensors
    #expect(tensors.map(\.stored.path).sorted() == expected.map(\.name).sorted())
    for (name, array) in expected {
      let tensor = try #require(tensors.first { $0.stored.path == name })
      #expect(tensor.storedShape == array.shape)
      #expect(try tensor.values().map(\.bitPattern) == array.values.map(\.bitPattern))
    }
    #expect(try #require(source.pickles).outside.isEmpty)
  }

  @Test("Python's objects are refused")
  func refused() throws {
    #expect(thrown { try Self.read("objects.npz") }?.kind == .badData)
  }
}
