import Foundation
import TestSupport
import Testing

/// Omissions, and comparisons without a verdict, are on the page as in the text; Tools/pages tests colours.
@Suite("pages say what was left out, and what was not judged")
struct PageVerdictTests {
  private func page(_ line: CommandLine, _ arguments: String...) throws -> (text: String, ExitCode)
  {
    let result = try line.netconv(arguments + ["--html", "p.html", "--quiet"])
    return (
      String(decoding: try line.folder.bytes("p.html"), as: UTF8.self)
        .replacing("&#39;", with: "'"), result.status
    )
  }

  @Test("what is no weight is counted", arguments: ["diff", "relate"])
  func leftOut(verb: String) throws {
    let line = try CommandLine()
    let graph = Fixtures.path("tensorflow/frozen-training.pb")
    let (page, status) = try page(line, verb, graph, graph)
    #expect(status == 0)
    #expect(page.contains("Left out (not weights): 11 of A, 11 of B.</p>"))
    #expect(page.contains("class=\"lead good\""))
    #expect(page.contains(#"leftOut(side)"#))
  }

  @Test(
    "a tensor that was not judged for a target makes the page's verdict a no, as the exit code is")
  func notJudged() throws {
    let line = try CommandLine()
    let lenet = Fixtures.sample("pytorch-lenet/lenet.pt")
    expectSuccess(
      try line.netconv(
        "convert", lenet, "m.safetensors", "--weights-only", "--target", "mlx", "--convention",
        "torch", "--quiet"))
    let (page, status) = try page(line, "relate", lenet, "m.safetensors", "--target", "mlx")
    #expect(status == 1)
    #expect(page.contains("class=\"lead bad\""))
    #expect(page.contains("1 tensor was not judged for mlx: 'classifier.0.weight'.</p>"))
  }

  @Test("a normalisation with another factor is no good news")
  func changedNorm() throws {
    let line = try CommandLine()
    let document = """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [5]}], "outputs": ["norm"],
       "layers": [{"name": "norm", "operator": "BatchNormalization", "inputs": ["x"],
        "attributes": {"epsilon": 0.001}, "parameters": [
         {"role": "gamma", "file": "g.bin", "dtype": "float32", "layout": "C"},
         {"role": "beta", "file": "b.bin", "dtype": "float32", "layout": "C"},
         {"role": "mean", "file": "m.bin", "dtype": "float32", "layout": "C"},
         {"role": "variance", "file": "v.bin", "dtype": "float32", "layout": "C"}]}]}
      """
    for (name, factor) in [("a", Float(1)), ("b", 2)] {
      try line.folder.write(document, to: "\(name)/model.json")
      for (file, values) in [
        ("g", [1.5, 0.25, -3, 0.75, 1.125].map { $0 * factor }), ("b", [0.1, 0.7, -0.3, 0.2, 0.9]),
        ("m", [3, -1, 0.5, 2.5, -2]), ("v", [0.3, 1.7, 0.9, 2.2, 1.1] as [Float]),
      ] {
        try line.folder.write(littleEndian(values), to: "\(name)/\(file).bin")
      }
    }
    let (page, status) = try page(line, "relate", "a", "b")
    #expect(status == 1)
    #expect(page.contains("class=\"lead bad\""))
    #expect(page.contains("Tensors of B have another sign, factor or offset than in A: "))
  }

  @Test("the output that was judged, and the others, are on the page")
  func outputs() throws {
    let line = try CommandLine()
    let (page, status) = try page(
      line, "verify", Fixtures.path("metrics/heads.h5"), "--images",
      Fixtures.path("metrics/heads-kind.npz"), "--layer", "kind")
    #expect(status == 0)
    #expect(page.contains("The output 'kind' was judged, but not 'size'.</p>"))
  }
}
