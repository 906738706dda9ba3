import TestSupport
import Testing

@Suite("Completions")
struct CompletionTests {
  private func script(_ shell: String) throws -> [String] {
    let result = try NetconvProcess.run(["--generate-completion-script", shell])
    expectSuccess(result)
    return result.output.split(separator: "\n").map(String.init)
  }

  /// The values of options, each as often as verbs have it.
  private static let values: [(values: [String], count: Int)] = [
    (
      [
        "mps", "mpsgraph", "mlx", "torch", "tensorflow", "onnx", "tflite", "bnns", "coreml", "ncnn",
        "rtneural", "tfjs", "source",
      ], 3
    ),
    // --dtype of convert and of probe, --formats, --onnx-layout, --engine of verify and run, --language, --precision,
    // --metric.
    (["float16", "bfloat16", "float32", "int8"], 1),
    (["float32", "float16", "bfloat16"], 1),
    (
      [
        "bin", "archive", "safetensors", "shards", "npz", "gguf", "c", "rtneural", "tfjs", "onnx",
        "tflite", "coreml",
      ], 1
    ),
    (["channels-last", "channels-first"], 1),
    (["fast", "reference"], 2),
    (["dsl", "mpscnn", "mpsgraph", "metal", "c"], 1),
    (["float32", "float16"], 3),
    (["accuracy", "mae", "mse", "rmse", "r2"], 1),
  ]

  @Test("bash is given the values of every option that has some")
  func bash() throws {
    let script = try script("bash").map { String($0.drop { $0 == " " }) }
    for (values, count) in Self.values {
      let line =
        "__netconv_add_completions -W " + values.map { "'\($0)'" }.joined(separator: "$'\\n'")
      #expect(script.filter { $0 == line }.count == count, "\(line)")
    }
  }

  @Test("zsh is given the values of every option that has some")
  func zsh() throws {
    let script = try script("zsh")
    for (values, count) in Self.values {
      let list = "=(" + values.map { "'\($0)'" }.joined(separator: " ") + ")"
      #expect(script.filter { $0.hasSuffix(list) }.count == count, "\(list)")
    }
  }

  @Test("fish is given the values of every option that has some")
  func fish() throws {
    let script = try script("fish")
    for (values, count) in Self.values {
      let list = "-rfka '\(values.joined(separator: " "))'"
      #expect(script.filter { $0.hasSuffix(list) }.count == count, "\(list)")
    }
  }

  @Test("bash accepts its completions")
  func bashSyntax() throws {
    let line = try CommandLine()
    let result = try line.shell(
      #""$@" > completions && exec /usr/bin/env bash -n completions"#,
      "--generate-completion-script", "bash")
    expectSuccess(result)
  }
}
