import Foundation
import TestSupport
import Testing

/// Messages of `netconv convert` about orders that shapes do not determine.
@Suite("ambiguous shapes")
struct AmbiguityTests {
  private func line() throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.sample("deep-mnist/deep-mnist.h5"), to: "ckpt.h5")
    return line
  }

  @Test("convert says how many there are, and with --verbose which")
  func note() throws {
    let line = try line()
    let result = try line.netconv("convert", "ckpt.h5", "out")
    expectSuccess(result)
    #expect(
      result.output.contains(
        "\n3 tensors have axes that their shapes do not tell apart (--verbose lists them)\n8 tensors"
      ))
    let verbose = try line.netconv("convert", "ckpt.h5", "again", "--verbose")
    expectSuccess(verbose)
    #expect(
      verbose.output.contains(
        """

        3 tensors have axes that their shapes do not tell apart; only the source's format says which is which
          conv1 kernel, HWIO (5, 5, 1, 32): H and W
          conv2 kernel, HWIO (5, 5, 32, 64): H and W
          fc1 kernel, (HWI)O (3136, 1024): H, W and I
        8 tensors, 13.1 MB, as bin and archive; each read back and equal to the source

        """))
  }

  @Test("the manifest and the JSON list them by axis")
  func documents() throws {
    let line = try line()
    let result = try line.netconv("convert", "ckpt.h5", "out", "--json")
    expectSuccess(result)
    let summary = try jsonObject(result.output.utf8)
    let conversion = try #require((summary["conversions"] as? [[String: Any]])?.first)
    let manifest = try jsonObject(try line.folder.bytes("out/manifest.json"))
    for document in [conversion, manifest] {
      let tensors = try #require(document["tensors"] as? [[String: Any]])
      #expect(
        tensors.map { $0["ambiguities"] as? [[String]] } == [
          [["H", "W"]], [], [["H", "W"]], [], [["H", "W", "I"]], [], [], [],
        ])
    }
  }

  @Test("groups and equal sizes of a raw-blob source are found in its own layouts")
  func rawBlobs() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    let result = try line.netconv("convert", "blobs", "out", "--verbose")
    expectSuccess(result)
    #expect(
      result.output.contains(
        """

          conv kernel, OIHW (4, 2, 3, 2): I and W
          fc kernel, (HWI)O (64, 7): H, W and I
        4 tensors
        """))
  }

  @Test("where every size is another one, nothing is said")
  func none() throws {
    let line = try CommandLine()
    try line.folder.write(Self.document, to: "blobs/model.json")
    try line.writeZeros(4 * 2 * 3, to: "blobs/W.bin")
    let result = try line.netconv("convert", "blobs", "out", "--verbose")
    expectSuccess(result)
    #expect(!result.output.contains("tell apart"))
  }

  private static let document = """
    {"format": "netconv-model", "version": 1, "name": "dense",
     "inputs": [{"name": "x", "shape": [2]}], "outputs": ["fc"],
     "layers": [
      {"name": "fc", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 3},
       "parameters": [{"role": "kernel", "file": "W.bin", "dtype": "float32", "layout": "IO"}]}]}
    """
}
