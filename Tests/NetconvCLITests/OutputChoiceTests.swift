import Foundation
import ModelIR
import TestSupport
import Testing

/// Keras's measurements of the models in `Tests/Fixtures/metrics`, for models with a choice of outputs.
private struct Measured: Decodable {
  /// The number of predictions that `BinaryAccuracy` counts as correct, with its threshold.
  var thresholds: [String: Int]?
  var correct: Int?
  var mae: Double?

  static func of(_ name: String) throws -> Measured {
    let data = try Data(contentsOf: URL(filePath: Fixtures.path("metrics/expected.json")))
    return try #require(JSONDecoder().decode([String: Measured].self, from: data)[name])
  }
}

@Suite("verify judges a single output by a threshold, and one output of several")
struct OutputChoiceTests {
  private func verify(
    _ model: String, _ data: String, _ options: String...
  ) throws -> NetconvProcess.Result {
    try NetconvProcess.run(
      [
        "verify", Fixtures.path("metrics/\(model).h5"), "--images",
        Fixtures.path("metrics/\(data).npz"),
      ] + options)
  }

  private func report(_ result: NetconvProcess.Result) throws -> [String: Any] {
    #expect(result.status == 0, "\(result.errors)")
    return try jsonObject(result.output.utf8)
  }

  // MARK: - Thresholds

  @Test("a logit is judged by its sign, and other thresholds are Keras's BinaryAccuracy")
  func logits() throws {
    let expected = try #require(try Measured.of("logits").thresholds)
    let plain = try report(try verify("logits", "logits", "--json"))
    #expect(plain["correct"] as? Int == expected["0.0"])
    let threshold = try #require(plain["threshold"] as? [String: Any])
    #expect(threshold["value"] as? Double == 0 && threshold["reason"] as? String == "logit")
    for (text, correct) in expected {
      let asked = try report(try verify("logits", "logits", "--json", "--threshold", text))
      #expect(asked["correct"] as? Int == correct, "\(text)")
      #expect((asked["threshold"] as? [String: Any])?["reason"] as? String == "options")
    }
    let text = try verify("logits", "logits")
    #expect(
      text.status == 0 && text.output.contains("\nthreshold  class 1 above 0, as of a logit\n"))
    #expect(
      text.errors
        == "netconv: warning: the network has no final activation, so 'fc' is assumed to be a logit; pass --threshold 0 if it is "
        + "one, --threshold 0.5 if it was trained to return 0 and 1, and for a quantity --metric mae, mse, rmse or r2\n"
    )
    expectSuccess(try verify("logits", "logits", "--threshold", "0"))
  }

  @Test("a sigmoid is judged by 0.5, and the report says so")
  func sigmoids() throws {
    let found = try report(try verify("binary", "binary", "--json"))
    #expect(try found["correct"] as? Int == Measured.of("binary").correct)
    let threshold = try #require(found["threshold"] as? [String: Any])
    #expect(threshold["value"] as? Double == 0.5 && threshold["reason"] as? String == "sigmoid")
    #expect(
      try verify("binary", "binary").output.contains(
        "\nthreshold  class 1 above 0.5, as the network ends in a sigmoid\n"))
  }

  @Test("what no layer tells has to be said, and nothing is called accuracy before")
  func unknown() throws {
    let model = Fixtures.path("metrics/signed.h5")
    expectError(
      try verify("signed", "signed"), 64,
      "\(model): returns one number, and its last layer does not imply a threshold for class 1; pass --threshold T, "
        + "or for a quantity --metric mae, mse, rmse or r2")
    for (text, correct) in try #require(try Measured.of("signed").thresholds) {
      let found = try report(try verify("signed", "signed", "--json", "--threshold", text))
      #expect(found["correct"] as? Int == correct, "\(text)")
    }
  }

  @Test("a threshold is refused where it means nothing")
  func refusedThresholds() throws {
    expectError(
      try verify("words", "words", "--threshold", "0.5"), 64,
      "\(Fixtures.path("metrics/words.h5")): returns a value for each of 3 classes, of which the largest counts; "
        + "--threshold is for networks with one value")
    for (options, message) in [
      (["--metric", "mae"], "--threshold needs --metric accuracy"),
      (["--goldens"], "--goldens has its own inputs; leave out --threshold"),
    ] {
      let result = try NetconvProcess.run(["verify", "a", "--threshold", "0.5"] + options)
      #expect(result.status == 64 && result.errors.contains("netconv: error: \(message)\n"))
    }
  }

  @Test("parts of the samples are judged by one threshold")
  func shards() throws {
    let line = try CommandLine()
    for (name, options) in [
      ("1", ["--shard", "1/2"]), ("2", ["--shard", "2/2"]),
      ("other", ["--shard", "2/2", "--threshold", "0.5"]),
    ] {
      let shard = try line.netconv(
        ["verify", Fixtures.path("metrics/logits.h5"), "--images"]
          + [Fixtures.path("metrics/logits.npz"), "--json"] + options)
      #expect(shard.status == 0, "\(shard.errors)")
      try line.folder.write(shard.output, to: name)
    }
    let merged = try line.netconv("merge", "1", "2", "--json")
    let found = try report(merged)
    #expect(try found["correct"] as? Int == Measured.of("logits").thresholds?["0.0"])
    #expect((found["threshold"] as? [String: Any])?["value"] as? Double == 0)
    let unlike = try line.netconv("merge", "1", "other", "--json")
    #expect(unlike.status == 65 && unlike.errors.contains("threshold"), "\(unlike.errors)")
  }

  // MARK: - One output of several

  @Test("one output of several is judged, and the report says which were not")
  func outputs() throws {
    let kind = try report(try verify("heads", "heads-kind", "--layer", "kind", "--json"))
    #expect(try kind["correct"] as? Int == Measured.of("heads-kind").correct)
    #expect(kind["output"] as? String == "kind" && kind["notJudged"] as? [String] == ["size"])
    let size = try report(
      try verify("heads", "heads-size", "--layer", "size", "--metric", "mae", "--json"))
    let value = try #require((size["regression"] as? [String: Any])?["value"] as? Double)
    let mae = try #require(try Measured.of("heads-size").mae)
    // Float32 outputs of two programs.
    #expect(abs(value - mae) < 2e-5 * max(mae, 0.01))
    #expect(size["output"] as? String == "size" && size["notJudged"] as? [String] == ["kind"])
    let text = try verify("heads", "heads-kind", "--layer", "kind")
    expectSuccess(text)
    #expect(text.output.contains("output     'kind'; not judged: 'size'\n"))
    let single = try report(try verify("words", "words", "--layer", "fc", "--json"))
    #expect(single["output"] == nil && single["notJudged"] == nil)
  }

  @Test("an output that is not named, or not there, is refused")
  func refusedOutputs() throws {
    let model = Fixtures.path("metrics/heads.h5")
    expectError(
      try verify("heads", "heads-kind"), 64,
      "\(model): has the outputs 'kind', 'size'; choose with --layer which of them the targets are for"
    )
    expectError(
      try verify("heads", "heads-kind", "--layer", "hidden"), 64,
      "\(model): has no output 'hidden' for --layer; it has 'kind', 'size'")
    // Random inputs have no targets.
    for options in [["--layer", "kind"], ["--layer", "none"]] {
      let result = try NetconvProcess.run(["verify", model, "--against", model] + options)
      #expect(result.status == 64 && result.errors.contains("--layer"), "\(result.errors)")
    }
  }

  @Test("a conversion and its source are judged by the same output")
  func compared() throws {
    let line = try CommandLine()
    let model = Fixtures.path("metrics/heads.h5")
    expectSuccess(try line.netconv("convert", model, "out", "--quiet"))
    let found = try report(
      try line.netconv(
        "verify", "out", "--against", model, "--images", Fixtures.path("metrics/heads-kind.npz"),
        "--layer", "kind", "--json"))
    #expect(try found["correct"] as? Int == Measured.of("heads-kind").correct)
    #expect((found["agreement"] as? [String: Any])?["fraction"] as? Double == 1)
    #expect((found["comparison"] as? [String: Any])?["passed"] as? Bool == true)
  }
}
