import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

@Suite("TensorFlow checkpoints that cannot be read say why")
struct CheckpointRefusalTests {
  typealias Builder = CheckpointBuilder

  /// The error of the reader, without the folder.
  private func problem(_ path: String, in folder: TemporaryFolder) -> String? {
    thrown { try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true)) }
      .map { $0.description.replacing(folder.path + "/", with: "") }
  }

  private func problem(_ builder: Builder, values: [UInt8] = Array(0..<24)) throws -> String? {
    let folder = try TemporaryFolder()
    return problem(try builder.write(to: folder, values: values), in: folder)
  }

  private func copy(_ names: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in names {
      try folder.copy(
        TensorFlowCheckpointTests.fixture(name), to: URL(filePath: name).lastPathComponent)
    }
    return folder
  }

  @Test("a checkpoint that was made here is read: what follows differs from it in one thing")
  func readable() throws {
    let folder = try TemporaryFolder()
    let path = try Builder(entries: [("w", Builder.entry([2, 3], size: 24))])
      .write(to: folder, values: Array(0..<24))
    let source = try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true))
    let values = try #require(source.network.tensors.first).values()
    #expect(values.map(\.bitPattern).first == 0x0302_0100)
    #expect(values.count == 6)
  }

  @Test("the other order of bytes is read")
  func bigEndian() throws {
    let folder = try TemporaryFolder()
    var builder = Builder(entries: [("w", Builder.entry([2, 3], size: 24))])
    builder.header = builder.header.number(2, 1)
    let path = try builder.write(to: folder, values: Array(0..<24))
    let source = try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true))
    #expect(
      try #require(source.network.tensors.first).values().map(\.bitPattern).first == 0x0001_0203)
  }

  static let entries: [(Message, String)] = [
    (Builder.entry([2, 3], size: 20), "has 20 bytes, expected 24 ([2, 3] of float32)"),
    (
      Builder.entry([2, -3], size: 24),
      "its shape is not known; a variable in a checkpoint has a size for each axis"
    ),
    (
      Builder.entry([1 << 31, 1 << 31], size: 24),
      "its shape [2147483648, 2147483648] has more values than can be counted"
    ),
    (
      Builder.entry([2, 3], shard: 1, size: 24),
      "is in file 1 of values, but there are 1, counted from 0"
    ),
    (
      Builder.entry([2, 3], size: 24).message(7, Builder.slice([(0, 1), nil])),
      "its slice 0,1:- is not in the checkpoint"
    ),
  ]

  @Test("an entry that lies is refused with the variable", arguments: entries)
  func lyingEntry(entry: Message, expected: String) throws {
    #expect(
      try problem(Builder(entries: [("w", entry)])) == "x.index: tensor 'w': \(expected)")
  }

  @Test("values beyond the end are refused with their file")
  func outside() throws {
    #expect(
      try problem(Builder(entries: [("w", Builder.entry([2, 3], offset: 4, size: 24))]))
        == "x.data-00000-of-00001: tensor 'w': its 24 bytes from byte 4 on go beyond the end of the file, which "
        + "holds 24; the file is truncated or damaged")
  }

  @Test("slices that leave a gap, or lie over each other, are refused")
  func slices() throws {
    // The key of a slice: 0, the name, two axes, then start and length of each; all below 64 have one byte.
    for second in [(1, 1), (0, 2)] {
      let whole = Builder.entry([3, 1], size: 0)
        .message(7, Builder.slice([(0, 1), (0, 1)]))
        .message(7, Builder.slice([(second.0, second.1), (0, 1)]))
      let folder = try TemporaryFolder()
      let keys: [[UInt8]] = [(0, 1), second].map { start, length in
        [0] + Array("w".utf8) + [0, 1, 1, 2]
          + [start, length, 0, 1].map { 0x80 ^ UInt8($0) }
      }
      let table = TableBuilder(
        entries: [
          ([], Message().number(1, 1).bytes),
          (keys[0], Builder.entry([1, 1], size: 4).bytes),
          (keys[1], Builder.entry([second.1, 1], offset: 4, size: 4 * second.1).bytes),
          (Array("w".utf8), whole.bytes),
        ].sorted { $0.0.lexicographicallyPrecedes($1.0) })
      try folder.write(Array(0..<24), to: "x.data-00000-of-00001")
      #expect(
        problem(try folder.write(table.bytes(), to: "x.index"), in: folder)
          == "x.index: tensor 'w': its 2 slices do not hold each value of [3, 1] once; save the whole checkpoint again"
      )
    }
  }

  @Test("a format of the future, and another order of bytes, are refused")
  func header() throws {
    var builder = Builder(entries: [("w", Builder.entry([2, 3], size: 24))])
    builder.header = builder.header.message(3, Message().number(2, 2))
    #expect(
      try problem(builder)
        == "x.index: is for readers of version 2 of the format, netconv knows version 1")
    builder.header = Message().number(1, 1).number(2, 7)
    #expect(
      try problem(builder) == "x.index: its order of bytes is 7, expected 0 (little) or 1 (big)")
  }

  @Test("blocks that are compressed are refused by name")
  func compressed() throws {
    var builder = Builder(entries: [("w", Builder.entry([2, 3], size: 24))])
    builder.compression = 1
    #expect(
      try problem(builder)
        == "x.index: the block at byte 0 is compressed with Snappy, which netconv does not read; TensorFlow writes "
        + "checkpoints without compression, so save it again with TensorFlow")
    builder.compression = 9
    #expect(
      try problem(builder)
        == "x.index: the block at byte 0 has the compression 9, expected 0 (none); the file is damaged"
    )
  }

  @Test("entries out of order are refused")
  func order() throws {
    let entry = Builder.entry([2, 3], size: 24)
    let text = try problem(Builder(entries: [("w", entry), ("v", entry)]))
    #expect(text?.hasSuffix("entries are out of order") ?? false)
  }

  @Test("values without their index, and an index without its values, are said to be so")
  func files() throws {
    let data = "model.ckpt.data-00001-of-00003"
    let alone = try copy("v2-shards/\(data)")
    #expect(
      problem(alone.file(data), in: alone)
        == "\(data): is a file of values of a TensorFlow checkpoint, whose index is not beside it; copy NAME.index and all "
        + "files NAME.data-… to one folder, and name the index")
    let missing = try copy(
      "v2-shards/model.ckpt.index", "v2-shards/model.ckpt.data-00000-of-00003",
      "v2-shards/model.ckpt.data-00002-of-00003")
    let text = problem(missing.file("model.ckpt.index"), in: missing)
    #expect(text?.hasPrefix("\(data): tensor '") ?? false)
    #expect(
      text?.hasSuffix(
        "': is missing: the checkpoint has 3 files with values beside its index; copy all of them to one folder"
      ) ?? false)
  }

  @Test("every bit of an index that is turned is found, or changes nothing")
  func everyBit() throws {
    let folder = try copy("deep-v2.ckpt.index", "deep-v2.ckpt.data-00000-of-00001")
    let index = try folder.bytes("deep-v2.ckpt.index")
    // The footer has bytes that mean nothing.
    for place in 0..<index.count - 48 {
      var bytes = index
      bytes[place] ^= 1 << (place % 8)
      try folder.write(bytes, to: "deep-v2.ckpt.index")
      guard problem(folder.file("deep-v2.ckpt.index"), in: folder) == nil else { continue }
      // Nobody reads the empty block that tells of others.
      #expect(place >= index.count - 48 - 13 - 60)
    }
  }

  @Test("every index that is cut off is refused")
  func everyEnd() throws {
    let folder = try copy("deep-v2.ckpt.index", "deep-v2.ckpt.data-00000-of-00001")
    let index = try folder.bytes("deep-v2.ckpt.index")
    for count in 1..<index.count {
      try folder.write(Array(index[..<count]), to: "deep-v2.ckpt.index")
      #expect(problem(folder.file("deep-v2.ckpt.index"), in: folder) != nil, "\(count)")
    }
  }

  @Test("a list that names nothing, and one whose checkpoint is gone, are refused")
  func lists() throws {
    let folder = try TemporaryFolder()
    try folder.write("model_checkpoint_path: \"gone-7\"\n", to: "checkpoint")
    #expect(
      problem(folder.path, in: folder)
        == "checkpoint: says that 'gone-7' is the newest checkpoint, but it is not there; name the one to read"
    )
    try folder.write("all_model_checkpoint_paths: \"a\"\n", to: "checkpoint")
    #expect(
      problem(folder.path, in: folder)
        == "checkpoint: names no checkpoint: it has no line model_checkpoint_path: \"NAME\"")
  }
}
