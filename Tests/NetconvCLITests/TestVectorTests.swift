import Foundation
import TestSupport
import Testing

/// An AIDA-X model that contains samples and PyTorch's outputs for them.
@Suite("Samples that a file holds beside its network")
struct TestVectorTests {
  private static let aida = Fixtures.path("audio/rtneural-aida.json")

  /// The fixture with the first number of a list changed.
  private func changed(_ key: String, by change: Double?, in line: CommandLine) throws {
    let data = try Data(contentsOf: URL(filePath: Self.aida))
    var document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    if key == "weights" {
      var layers = try #require(document["layers"] as? [[String: Any]])
      var weights = try #require(layers[0]["weights"] as? [Any])
      var kernel = try #require(weights[0] as? [[Double]])
      kernel[0][3] += change ?? 0
      weights[0] = kernel
      layers[0]["weights"] = weights
      document["layers"] = layers
    } else {
      var values = try #require(document[key] as? [Double])
      if let change { values[0] += change } else { values.removeLast() }
      document[key] = values
    }
    try line.folder.write(
      [UInt8](JSONSerialization.data(withJSONObject: document)), to: "changed.json")
  }

  /// The only comparison of a report.
  private func row(_ program: NetconvProcess.Result) throws -> [String: Any] {
    let report = try JSONSerialization.jsonObject(with: Data(program.output.utf8))
    let rows = try #require((report as? [String: Any])?["testVectors"] as? [[String: Any]])
    #expect(rows.count == 1)
    return try #require(rows.first)
  }

  @Test("a source is verified with its own, end to end")
  func own() throws {
    let line = try CommandLine()
    let run = try line.netconv("verify", Self.aida)
    #expect(run.status == 0)
    #expect(run.output.contains("tested     with the 96 samples that"))
    #expect(run.output.contains("not compared: the layers before the output"))
    let row = try row(try line.netconv("verify", Self.aida, "--json"))
    let difference = try #require(row["difference"] as? [String: Any])
    // PyTorch's float32 and netconv's, over values of about 0.3.
    #expect(try #require(difference["maximumAbsolute"] as? Double) < 1e-6)
    #expect(difference["count"] as? Int == 96)
    let tolerance = try #require(row["tolerance"] as? Double)
    #expect(tolerance > 1e-7 && tolerance < 1e-4)
  }

  @Test(
    "a weight or a sample that was changed is found",
    arguments: [("weights", 0.01), ("output_batch", 0.001)])
  func changed(key: String, change: Double) throws {
    let line = try CommandLine()
    try changed(key, by: change, in: line)
    let run = try line.netconv("verify", "changed.json")
    #expect(run.status == 1)
    #expect(
      run.errors.contains(
        "netconv: 'dense' differs from what 'changed.json' states for its samples"))
  }

  @Test(
    "a conversion is held against those of its source, in each type and for each target",
    arguments: [
      ["--target", "tensorflow"], ["--target", "torch", "--dtype", "float16"],
      ["--target", "source", "--dtype", "int8"],
      ["--target", "rtneural"],
    ])
  func conversion(options: [String]) throws {
    let line = try CommandLine()
    let output = options[1] == "rtneural" ? "out.rtneural.json" : "out"
    expectSuccess(
      try line.netconv(["convert", Self.aida, output, "--quiet"] + options))
    let run = try line.netconv("verify", output, "--against", Self.aida)
    expectSuccess(run)
    #expect(run.output.contains("tested     with the 96 samples that"))
    // One weight is another: the source's layers show which, and the samples that it matters.
    try changed("weights", by: 3, in: line)
    expectSuccess(
      try line.netconv(["convert", "changed.json", output, "--quiet", "--force"] + options))
    let other = try line.netconv("verify", output, "--against", Self.aida)
    #expect(other.status == 1)
    #expect(other.errors.contains("'lstm' is the first layer that differs from the reference"))
    #expect(
      other.errors.contains("'dense' differs from what '\(Self.aida)' states for its samples"))
  }

  @Test("where all layers are as in the source, its samples are not its own")
  func strangers() throws {
    let line = try CommandLine()
    try changed("output_batch", by: 0.001, in: line)
    expectSuccess(try line.netconv("convert", "changed.json", "out", "--quiet"))
    let run = try line.netconv("verify", "out", "--against", "changed.json")
    #expect(run.status == 1)
    #expect(
      run.errors.contains(
        "all layers are equal to 'changed.json': its weights and its samples do not belong together"
      ))
  }

  @Test("samples of the source that cannot be compared with are said to be so")
  func misfit() throws {
    let line = try CommandLine()
    try changed("output_batch", by: nil, in: line)
    expectSuccess(try line.netconv("convert", "changed.json", "out", "--quiet"))
    let run = try line.netconv("verify", "out", "--against", "changed.json")
    #expect(run.status == 0)
    #expect(!run.output.contains("tested"))
    #expect(
      run.errors.contains(
        "changed.json: the file holds test samples, which are not used here"
      ))
  }

  @Test("what only labelled images have is refused")
  func settings() throws {
    let line = try CommandLine()
    let run = try line.netconv("verify", Self.aida, "--min-accuracy", "0.9")
    #expect(run.status == 64)
    #expect(run.errors.contains("--min-accuracy"))
  }
}
