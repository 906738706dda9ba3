import Documents
import Foundation
import ModelIR
import NetconvKit
import Readers
import TestSupport
import Testing

/// Output for TensorFlow.js, read again as TensorFlow.js would.
@Suite("For TensorFlow.js and back")
struct TFJSRoundTripTests {
  private let folder: TemporaryFolder
  private var output: String { folder.file("out") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func convert(_ source: String, _ type: ElementType = .float32) throws {
    var request = ConvertRequest(source: source, destination: output)
    request.target = "tfjs"
    request.elementType = type
    _ = try Netconv.convert(request)
  }

  @Test(
    "every value comes back",
    arguments: [
      "keras2-conv-same.h5", "keras2-separable.h5", "keras2-prelu.h5", "keras2-batch-norm.h5",
      "keras2-embedding.h5", "keras2-two-inputs.h5", "keras2-shared-layer.h5",
      "keras2-flatten-bn.h5", "keras3-conv1d-classifier.h5", "archive-nested.keras",
    ])
  func values(name: String) throws {
    let source = Fixtures.path("keras/" + name)
    try convert(source)
    let before = try ReaderRegistry.read(source).model
    let after = try ReaderRegistry.read(folder.file("out/model.json")).model
    // Shared arrays are written for each layer that reads them.
    let stored = try before.layers.flatMap(\.parameters).map { try $0.values() }
    #expect(!stored.isEmpty)
    #expect(try after.layers.flatMap(\.parameters).map { try $0.values() } == stored)
    #expect(after.inputs.map(\.shape) == before.inputs.map(\.shape))
    #expect(after.outputs.count == before.outputs.count)
    _ = try Netconv.inspect(output, withStatistics: true)
  }

  /// A dense layer whose kernel is 4 KiB longer than a shard.
  private func writeLarge() throws {
    try folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "large",
       "inputs": [{"name": "x", "shape": [1025]}], "outputs": ["fc"],
       "layers": [
        {"name": "fc", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 1024},
         "parameters": [{"role": "kernel", "file": "W.bin", "dtype": "float32", "layout": "IO"}]}]}
      """, to: "large/model.json")
    try folder.write(littleEndian((0..<1025 * 1024).map { Float($0 % 977) }), to: "large/W.bin")
    try convert(folder.file("large"))
  }

  /// Inverts a bit of a file of the output.
  private func flip(_ name: String, at place: Int) throws {
    var bytes = try folder.bytes("out/" + name)
    bytes[place] ^= 4
    try folder.write(bytes, to: "out/" + name)
  }

  private func refusal() throws -> String {
    let error = try #require(thrown { try Netconv.inspect(output, withStatistics: true) })
    #expect(error.kind == .badData)
    return error.description.replacing(folder.path + "/", with: "")
      .replacing(#/[0-9a-f]{16}…/#, with: "HASH")
  }

  private static let damaged =
    "SHA-256 is HASH, the manifest says HASH; it is damaged, so convert the model again"

  @Test(
    "a bit of a shard is found, in whichever shard a tensor ends", arguments: [(1, 0), (2, 4095)])
  func flippedShard(shard: Int, place: Int) throws {
    try writeLarge()
    try flip("group1-shard\(shard)of2.bin", at: place)
    #expect(
      try refusal() == "out/group1-shard1of2.bin: layer 'fc', tensor 'kernel': " + Self.damaged)
  }

  @Test("halves are checked as they are written")
  func halves() throws {
    try folder.copy(Fixtures.path("keras/keras2-conv-same.h5"), to: "m.h5")
    try convert(folder.file("m.h5"), .float16)
    _ = try Netconv.inspect(output, withStatistics: true)
    try flip("group1-shard1of1.bin", at: 3)
    #expect(
      try refusal() == "out/group1-shard1of1.bin: layer 'conv1', tensor 'kernel': " + Self.damaged)
  }

  @Test("another model.json is not what was written")
  func changedText() throws {
    try convert(Fixtures.path("keras/keras2-conv-same.h5"))
    let text = try String(decoding: folder.bytes("out/model.json"), as: UTF8.self)
    for (old, new, message) in [
      (
        #""activation": "relu""#, #""activation": "selu""#,
        "its layers are not those that netconv writes for this model; convert the model again"
      ),
      (
        #""name": "conv1/bias""#, #""name": "conv1/base""#,
        "lists the array 'conv1/base' where netconv wrote the array 'conv1/bias'; convert the model again"
      ),
      (
        #""shape": [3, 3, 3, 5]"#, #""shape": [3, 3, 5, 3]"#,
        "tensor 'conv1/kernel': is float32 [3, 3, 5, 3], the manifest says float32 [3, 3, 3, 5]; convert the model "
          + "again"
      ),
    ] {
      let range = try #require(text.firstRange(of: old), "\(old)")
      var changed = text
      changed.replaceSubrange(range, with: new)
      try folder.write(changed, to: "out/model.json")
      #expect(try refusal() == "out/model.json: " + message)
    }
    try FileManager.default.removeItem(atPath: folder.file("out/model.json"))
    _ = try Netconv.inspect(output, withStatistics: true)
  }
}
