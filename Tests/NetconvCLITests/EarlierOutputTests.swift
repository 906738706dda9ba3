import Foundation
import TestSupport
import Testing

/// The outputs of earlier versions of netconv, in Fixtures/outputs; make.sh wrote them.
@Suite("What an earlier netconv wrote is read as it was")
struct EarlierOutputTests {
  private static func output(_ name: String) -> String { Fixtures.path("outputs/\(name)") }
  private static let source = Fixtures.path("keras/keras2-flatten-bn.h5")

  @Test(
    "its values are the source's",
    arguments: [
      ("folder", "8 equal"), ("half", "6 equal, 2 equal up to rounding"),
      ("model.safetensors", "8 equal"),
    ])
  func values(name: String, verdict: String) throws {
    let result = try CommandLine().netconv("diff", Self.source, Self.output(name))
    expectSuccess(result)
    #expect(result.output.contains("\nequal: \(verdict)"), "\(result.output)")
  }

  @Test("what was folded is known as folded")
  func folded() throws {
    let source = Fixtures.path("keras/keras2-batch-norm.h5")
    let result = try CommandLine().netconv(
      "diff", source, Self.output("folded.netpack"), "--fold", "--json")
    #expect(result.status == 0)
    #expect(try jsonObject(result.output.utf8)["equal"] as? Bool == true)
  }

  @Test("integers are what they stand for")
  func integers() throws {
    let line = try CommandLine()
    let result = try line.netconv("verify", Self.output("integers"), "--against", Self.source)
    expectSuccess(result)
  }

  @Test("goldens hold", arguments: ["folder", "folded.netpack"])
  func goldens(name: String) throws {
    let result = try CommandLine().netconv("verify", Self.output(name), "--goldens")
    expectSuccess(result)
    #expect(result.output.contains("layers are within their tolerances"))
  }

  @Test("a probe is checked against itself")
  func probe() throws {
    let line = try CommandLine()
    let result = try line.netconv("probe", "--check", Self.output("probe/probe.npz"))
    expectSuccess(result)
    #expect(result.output.contains("all 7 are right"))
    expectSuccess(try line.netconv("inspect", Self.output("probe/model"), "--stats"))
  }

  @Test("the same conversion gives the same weights")
  func sameBytes() throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("convert", Self.source, "now", "--formats", "bin,npz"))
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.output("folder/weights")) {
      let file = URL(filePath: Self.output("folder/weights/\(name)"))
      #expect(try line.folder.bytes("now/weights/\(name)") == Array(Data(contentsOf: file)))
    }
  }

  /// A layer for each output of an LSTM, channels first after a flatten, sequences of any length, and an addition that is
  /// a normalization; graph/make.py wrote them.
  @Test(
    "graphs as they were written are those that sources are read as",
    arguments: [
      "keras/keras2-recurrent-states.h5", "keras/keras2-first-flattened.h5",
      "keras/keras2-open-length.h5", "tensorflow/graph-channel-scale.pb",
    ])
  func graphs(name: String) throws {
    let source = Fixtures.path(name)
    let stem = try #require(name.split(separator: "/").last?.split(separator: ".").first)
    let (output, reference) = (
      Self.output("graph/\(stem).netpack"), Self.output("graph/\(stem).npz")
    )
    for (command, words) in [
      (["diff", source, output], "the graphs are equal"),
      (["verify", output, "--goldens"], "layers are within their tolerances"),
      (["verify", output, "--against", source], "cosine 1.000000000"),
      (["verify", output, "--reference", reference], "cosine 1.000000000"),
      (["verify", source, "--reference", reference], "cosine 1.000000000"),
    ] {
      let result = try CommandLine().netconv(command)
      #expect(result.status == 0, "\(command): \(result.errors)")
      #expect(result.output.contains(words), "\(command): \(result.output)")
    }
  }
}
