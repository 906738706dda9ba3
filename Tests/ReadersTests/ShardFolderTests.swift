import ModelIR
import Readers
import TestSupport
import Testing

/// Sharded weights, read by the path of their folder.
@Suite("Folders of shards")
struct ShardFolderTests {
  private static let parts = [
    "shards-00001-of-00002.safetensors", "shards-00002-of-00002.safetensors",
  ]

  private static func folder(
    _ names: [String], index: String = "model.safetensors.index.json"
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in names { try folder.copy(TorchTests.fixture(name), to: name) }
    try folder.copy(TorchTests.fixture("shards.safetensors.index.json"), to: index)
    return folder
  }

  private static func read(_ path: String) throws -> ReadSource {
    try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true))
  }

  @Test(
    "the folder has what its index has",
    arguments: ["model.safetensors.index.json", "diffusion.safetensors.index.json"])
  func folder(index: String) throws {
    let folder = try Self.folder(Self.parts, index: index)
    let source = try Self.read(folder.path)
    let expected = try Self.read(TorchTests.fixture("shards.safetensors.index.json"))
    #expect(source.format == "shards")
    #expect(
      source.network.tensors.map(\.stored.path) == expected.network.tensors.map(\.stored.path))
    #expect(
      try source.network.tensors.map { try $0.values() }
        == expected.network.tensors.map { try $0.values() })
  }

  @Test("a missing shard is named")
  func missing() throws {
    let folder = try Self.folder([Self.parts[0]])
    let error = thrown { try Self.read(folder.path) }
    #expect(error?.kind == .cannotOpen)
    #expect(error?.file == folder.path + "/" + Self.parts[1])
  }

  @Test("of two indices none is chosen")
  func two() throws {
    let folder = try Self.folder(Self.parts, index: "a.safetensors.index.json")
    try folder.copy(
      TorchTests.fixture("shards.safetensors.index.json"), to: "b.safetensors.index.json")
    let error = thrown { try Self.read(folder.path) }
    #expect(error?.message == "has 2 indices of weights; name one of them")
    #expect(error?.details == ["'a.safetensors.index.json'", "'b.safetensors.index.json'"])
  }
}
