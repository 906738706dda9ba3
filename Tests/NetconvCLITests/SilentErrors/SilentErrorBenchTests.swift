import Foundation
import TestSupport
import Testing

/// Inputs that are wrong in ways in which users make them wrong, over all verbs.
@Suite("The bench of silent errors")
struct SilentErrorBenchTests {
  private static let document = "\(Fixtures.repository)/Docs/silent-errors.md"

  @Test(
    "each ends with another exit code than 0, or with a warning that names it",
    arguments: SilentError.all)
  func isTold(error: SilentError) throws {
    let line = try CommandLine()
    let result = try error.run(line)
    #expect(result.status.code == error.status, "\(result.output)\(result.errors)")
    if error.status == 0 {
      // A hint is a warning that stands in the report, under the figure that it is about.
      let warnings =
        result.errors.split(separator: "\n").drop { !$0.contains("warning: ") }
        + result.output.split(separator: "\n").filter { $0.hasPrefix("hint ") }
      #expect(
        warnings.contains { $0.contains(error.words) }, "\(result.output)\(result.errors)")
    } else {
      #expect(
        (result.errors + result.output).contains(error.words), "\(result.output)\(result.errors)")
    }
  }

  @Test("the same inputs without the mistake are run without a word")
  func controls() throws {
    let line = try CommandLine()
    try line.writeImages()
    expectSuccess(try line.verifyImages("--min-accuracy", "0.95"))
    try line.writeFloatImages { $0.map { $0 / 255 } }
    #expect(try line.verifyImages("--min-accuracy", "0.95").status == 0)
    for (model, options) in [
      ("one", ["--metric", "mae", "--max-error", "0.05"]),
      ("several", ["--metric", "r2", "--min-r2", "0.4"]),
      ("steps", ["--metric", "rmse", "--max-error", "0.1"]),
      ("words", ["--min-accuracy", "0.7"]), ("tags", ["--min-accuracy", "0.8"]),
    ] {
      try line.writeSequences(model) { _, _ in }
      let result = try line.verifySequences(model, options)
      expectSuccess(result)
      #expect(!result.output.contains("hint "))
    }
    try line.writeLeNet()
    for verb in ["verify", "run", "diff", "convert", "emit", "inspect --stats", "verify --against"]
    {
      let result = try line.read("lenet", with: verb)
      #expect(result.status == 0, "\(verb): \(result.errors)")
    }
    expectSuccess(
      try line.netconv(
        "verify", "lenet", "--against", Fixtures.sample("lenet-blobs"), "--limit", "50"))
    for format in ["bin", "archive", "npz", "safetensors"] {
      try line.convertLeNet("--formats", format, "--force", "--goldens", "2")
      expectSuccess(try line.netconv("verify", "out", "--goldens"))
      expectSuccess(try line.netconv("diff", "out", Fixtures.sample("lenet-blobs")))
    }
    #expect(try line.check { _ in }.status == 0)
    let saved = try line.savedActivations()
    expectSuccess(try line.verify(saved))
  }

  @Test("what is written for a target is right for it", arguments: targets)
  func written(target: String) throws {
    let line = try CommandLine()
    let lenet = Fixtures.sample("lenet-blobs")
    try line.convertLeNet("--target", target)
    for arguments in [
      ["relate", lenet, "out", "--target", target], ["diff", lenet, "out"],
      ["verify", "out", "--against", lenet, "--limit", "4"],
    ] {
      expectSuccess(try line.netconv(arguments))
    }
  }

  private static let targets = [
    "mps", "mpsgraph", "mlx", "torch", "tensorflow", "onnx", "tflite", "bnns", "coreml", "ncnn",
    "source",
  ]

  @Test(
    "there are at least 200, each once, and Docs/silent-errors.md lists them; make docs writes it")
  func table() throws {
    #expect(SilentError.all.count >= 200)
    #expect(Set(SilentError.all.map(\.testDescription)).count == SilentError.all.count)
    let text = try String(contentsOfFile: Self.document, encoding: .utf8)
    let head = text.range(of: "## The mistakes").map { String(text[..<$0.lowerBound]) } ?? text
    let expected = head + Self.markdown
    if ProcessInfo.processInfo.environment["NETCONV_WRITE_DOCS"] != nil {
      try expected.write(toFile: Self.document, atomically: true, encoding: .utf8)
    } else {
      #expect(text == expected, "Docs/silent-errors.md is stale; run make docs")
    }
  }

  /// The count of each verb, then every mistake.
  private static var markdown: String {
    let verbs = SilentError.all.map(\.verb).reduce(into: [String]()) { verbs, verb in
      if !verbs.contains(verb) { verbs.append(verb) }
    }
    var lines = [
      "## The mistakes", "", "| verb | mistakes | told by an exit code | by a warning |",
    ]
    lines.append("|---|---|---|---|")
    for verb in verbs {
      lines.append(row("`\(verb)`", SilentError.all.filter { $0.verb == verb }))
    }
    lines.append(row("all", SilentError.all))
    lines += ["", "| verb | what is wrong | exit code | it says |", "|---|---|---|---|"]
    for error in SilentError.all {
      lines.append(
        "| `\(error.verb)` | \(error.mistake) | \(error.status) | \(error.words) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func row(_ name: String, _ errors: [SilentError]) -> String {
    let warned = errors.count { $0.status == 0 }
    return "| \(name) | \(errors.count) | \(errors.count - warned) | \(warned) |"
  }
}
