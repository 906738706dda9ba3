import Foundation
import TestSupport
import Testing

@Suite("convert --fold-batch-norm")
struct FoldingCommandTests {
  private func line(_ fixture: String) throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/" + fixture), to: "source.h5")
    return line
  }

  @Test("says what was folded, and of the rest why it stays")
  func text() throws {
    let line = try line("keras3-batch-norm.h5")
    let result = try line.netconv("convert", "source.h5", "out", "--fold-batch-norm")
    expectSuccess(result)
    let text = """
        folded        into
        ------------------------------------
        bn_no_scale   conv1  with a new bias
        bn_no_center  conv2
        bn_plain      conv3

        bn_first stays: reads the model's input 'image'; there is no kernel before it

      2 tensors have axes that their shapes do not tell apart (--verbose lists them)
      10 tensors, 744 B, as bin and archive; each read back and equal to the source with its layers \
      folded

      """
    #expect(result.output.contains("\n\n" + text))
  }

  @Test("the manifest and --json have the same record, and none unless it is asked for")
  func record() throws {
    let line = try line("keras3-batch-norm.h5")
    let result = try line.netconv("convert", "source.h5", "out", "--fold-batch-norm", "--json")
    expectSuccess(result)
    let report = try jsonObject(result.output.utf8)
    let conversions = try #require(report["conversions"] as? [[String: Any]])
    let reported = try #require(conversions[0]["folded"] as? NSDictionary)
    let manifest = try jsonObject(try line.folder.bytes("out/manifest.json"))
    #expect(manifest["folded"] as? NSDictionary == reported)

    expectSuccess(try line.netconv("convert", "source.h5", "plain", "--quiet"))
    #expect(try jsonObject(try line.folder.bytes("plain/manifest.json"))["folded"] == nil)
    // What was folded is a model like any other.
    expectSuccess(try line.netconv("convert", "out", "again.netpack", "--quiet"))
    expectSuccess(try line.netconv("inspect", "again.netpack"))
  }

  @Test("without a graph there is nothing to fold")
  func weightsOnly() throws {
    let line = try line("keras3-batch-norm.h5")
    expectError(
      try line.netconv("convert", "source.h5", "out", "--fold-batch-norm", "--weights-only"), 64,
      "nothing can be folded without the graph; leave out --weights-only or --fold-batch-norm")
  }
}
