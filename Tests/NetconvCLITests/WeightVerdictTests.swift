import Datasets
import Foundation
import TestSupport
import Testing

/// What is said about weights without a graph: layouts that were not judged, and arrays that were left out.
@Suite("verdicts on weights without a graph")
struct WeightVerdictTests {
  private static let undecided = Fixtures.path("conventions/undecided.safetensors")

  @Test("relate counts what it did not judge, and does not call it complete")
  func notJudged() throws {
    let line = try CommandLine()
    // What netconv writes for PyTorch may be MLX's as well, by all that it says.
    expectSuccess(
      try line.netconv(
        "convert", Fixtures.sample("pytorch-lenet/lenet.pt"), "w.safetensors", "--target", "torch",
        "--weights-only", "-q"))
    let relate = ["relate", "w.safetensors", "w.safetensors"]
    for (options, status, count) in [
      (["--target", "mlx"], Int32(1), 2), (["--target", "mlx", "--convention", "mlx"], 0, 0),
    ] {
      let result = try line.netconv(relate + options + ["--json"])
      #expect(result.status == ExitCode(status))
      let consumer = try #require(
        jsonObject(result.output.utf8)["consumer"] as? [String: Any])
      #expect((consumer["notJudged"] as? [String])?.count == count)
      let text = try line.netconv(relate + options)
      #expect(text.status == ExitCode(status))
      let verdict = text.output.split(separator: "\n").last ?? ""
      #expect(
        verdict
          == (count == 0
            ? "complete: 8 related" : "not judged: 8 related; not judged for mlx: 2"))
    }
    // Whatever it is, it was not moved.
    let undecided = try line.netconv(
      "relate", Self.undecided, Self.undecided, "--target", "mlx")
    #expect(undecided.status == 1)
    #expect(undecided.output.contains("not as mlx expects them: 2"))
  }

  @Test("relate finds kernels of PyTorch that were never transposed, behind a flatten too")
  func neverTransposed() throws {
    let line = try CommandLine()
    let lenet = Fixtures.sample("pytorch-lenet/lenet.pt")
    expectSuccess(
      try line.netconv(
        "convert", lenet, "same.safetensors", "--target", "torch", "--weights-only", "-q"))
    let same = try line.netconv("relate", lenet, "same.safetensors", "--target", "mlx")
    #expect(same.status == 1)
    #expect(
      same.output.hasSuffix(
        "not judged: 8 related; not as mlx expects them: 1; not judged for mlx: 1\n"))
    expectSuccess(try line.netconv("relate", lenet, "same.safetensors", "--target", "torch", "-q"))
    // Kernels moved, and the matrix behind the flatten not.
    expectSuccess(
      try line.netconv(
        "convert", lenet, "mlx.safetensors", "--target", "mlx", "--weights-only", "--convention",
        "torch", "--quiet"))
    let moved = try line.netconv("relate", lenet, "mlx.safetensors", "--target", "mlx", "--json")
    #expect(moved.status == 1)
    let consumer = try #require(jsonObject(moved.output.utf8)["consumer"] as? [String: Any])
    #expect(consumer["rightCount"] as? Int == 7)
    #expect((consumer["notJudged"] as? [String])?.count == 1)
    // What the graph says is right.
    expectSuccess(
      try line.netconv(
        "convert", lenet, "right.safetensors", "--target", "mlx", "--model",
        Fixtures.sample("pytorch-lenet/model.json"), "-q"))
    expectSuccess(try line.netconv("relate", lenet, "right.safetensors", "--target", "mlx", "-q"))
  }

  // MARK: - What is left out

  @Test("what is no weight is left out of a graph as of its checkpoint, and counted everywhere")
  func leftOut() throws {
    let line = try CommandLine()
    let graph = Fixtures.path("tensorflow/frozen-training.pb")
    let result = try line.netconv("convert", graph, "o.npz", "--weights-only", "--json")
    #expect(result.status == 0)
    let reports = try jsonObject(result.output.utf8)["conversions"] as? [[String: Any]]
    // Two slots for each of four variables, two powers of Adam, and the number of the step.
    #expect(reports?.first?["leftOut"] as? Int == 11)
    #expect(
      Set(try arrays(line.folder.file("o.npz")).keys) == [
        "fc1/weights", "fc1/biases", "fc2/weights", "fc2/biases",
      ])
    for verb in ["diff", "relate"] {
      let report = try line.netconv(verb, graph, graph, "--json")
      #expect(report.status == 0)
      let document = try jsonObject(report.output.utf8)
      for side in ["a", "b"] {
        let side = document[side] as? [String: Any]
        #expect(side?["leftOut"] as? Int == 11)
        #expect(side?["tensorCount"] as? Int == 4)
      }
      #expect(
        try line.netconv(verb, graph, graph).output.contains(
          "4 tensors; 11 left out (not weights)"))
    }
    expectSuccess(
      try line.netconv("convert", graph, "p.npz", "--weights-only", "-q"))
    let text = try line.netconv("convert", graph, "q.npz", "--weights-only")
    #expect(text.output.contains("11 arrays of the source are not weights and were left out\n"))
  }
}
