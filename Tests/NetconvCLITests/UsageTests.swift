import TestSupport
import Testing

@Suite("Usage")
struct UsageTests {
  static let convertUsage = """
    Usage: netconv convert SOURCE DEST [options]
           netconv convert SOURCE ... --into DIR [options]
      See 'netconv convert --help' for more information.
    """

  @Test(
    "wrong arguments of convert exit with 64, the reason and the usage",
    arguments: [
      ("", "Missing expected argument '<source> <dest> ...'"),
      ("a", "convert needs a SOURCE and a DEST, 1 was given; for several sources use --into DIR"),
      (
        "a b c",
        "convert needs a SOURCE and a DEST, 3 were given; for several sources use --into DIR"
      ),
      ("a b --frce", "unknown option '--frce'; did you mean '--force'?"),
      ("a b --align 3", "--align 3 is not a power of two from 1 to 16384"),
      ("a b --align 32768", "--align 32768 is not a power of two from 1 to 16384"),
      (
        "a b --max-memory 71", "--max-memory 71 is not a number of MiB from 72 to 1073741824"
      ),
      ("a b --align", "Missing value for '--align <bytes>'"),
      (
        "a b --dtype float8",
        "The value 'float8' is invalid for '--dtype <type>'. Please provide one of "
          + "'float16', 'bfloat16', 'float32' or 'int8'."
      ),
      ("--into out", "Missing expected argument '<source> <dest> ...'"),
    ])
  func convert(arguments: String, message: String) throws {
    let result = try NetconvProcess.run(
      ["convert"] + arguments.split(separator: " ").map(String.init))
    expectError(result, 64, message + "\n" + Self.convertUsage)
  }

  @Test(
    "wrong arguments of any verb exit with 64, and the first line says why",
    arguments: [
      ("convrt", "unknown verb 'convrt'; did you mean 'convert'?"),
      ("inspect", "Missing expected argument '<path>'"),
      ("inspect a b", "Unexpected argument 'b'"),
      ("verify", "Missing expected argument '<path>'"),
      ("verify a --labels b", "--labels needs --images"),
      (
        "verify a --images b",
        "--images needs --labels, unless it is an .npz with x_test and y_test, a folder of pictures, or a "
          + ".csv file"
      ),
      ("verify a --limit 0", "--limit 0 is less than 1"),
      (
        "verify a --min-accuracy 99",
        "--min-accuracy 99.0 is not a fraction from 0 to 1; 99 % is 0.99"
      ),
      ("verify a --scale nan", "--scale nan is not finite"),
      (
        "verify a --metric mad --images b.npz",
        "The value 'mad' is invalid for '--metric <metric>'. Please provide one of 'accuracy', 'mae', 'mse', "
          + "'rmse' or 'r2'."
      ),
      (
        "verify a --metric mae",
        "--metric mae needs --images, since the built-in test set has classes"
      ),
      ("verify a --max-error 1", "--max-error needs --metric mae, mse or rmse"),
      (
        "verify a --images b.npz --metric r2 --max-error 1",
        "--max-error needs --metric mae, mse or rmse"
      ),
      (
        "verify a --images b.npz --metric mae --max-error -1",
        "--max-error -1.0 is not a number from 0 up"
      ),
      (
        "verify a --images b.npz --metric mae --max-error inf",
        "--max-error inf is not a number from 0 up"
      ),
      ("verify a --images b.npz --metric mae --min-r2 0.5", "--min-r2 needs --metric r2"),
      ("verify a --min-r2 0.5", "--min-r2 needs --metric r2"),
      ("verify a --images b.npz --metric r2 --min-r2 2", "--min-r2 2.0 is not a number up to 1"),
      (
        "verify a --images b.npz --metric mae --min-accuracy 0.5",
        "--min-accuracy needs --metric accuracy"
      ),
      ("verify a --images b.npz --metric mae --confusion", "--confusion needs --metric accuracy"),
      (
        "verify a --images b.npz --metric mae --find-preparation",
        "--find-preparation needs --metric accuracy"
      ),
      (
        "verify a --images b.npz --metric mae --against c --min-agreement 1",
        "--min-agreement needs --metric accuracy"
      ),
      (
        "verify a --goldens --metric mae", "--goldens has its own inputs; leave out --metric"
      ),
      (
        "verify a --reference b --metric mae",
        "--reference has its own inputs and no labels; leave out --metric"
      ),
      (
        "verify a --engine slow",
        "The value 'slow' is invalid for '--engine <engine>'. Please provide one of 'fast' and "
          + "'reference'."
      ),
      ("run a", "no input was given; name pictures, or arrays with --input"),
      ("run a --input b --repeat 0", "--repeat 0 is less than 1"),
    ])
  func verbs(arguments: String, message: String) throws {
    let result = try NetconvProcess.run(arguments.split(separator: " ").map(String.init))
    #expect(result.errors.split(separator: "\n").first == "netconv: error: \(message)")
    #expect(result.errors.contains("\nUsage: netconv "))
    #expect(result.output == "")
    #expect(result.status == 64)
  }

  @Test(
    "an empty path is named, not looked for",
    arguments: [
      (["convert", "", "out"], "SOURCE or DEST"), (["convert", "a", ""], "SOURCE or DEST"),
      (["convert", "", "--into", "out"], "SOURCE"), (["convert", "a", "--into", ""], "--into"),
      (["inspect", ""], "PATH"), (["verify", "", "--json"], "PATH"),
      (["verify", "a", "--images", "", "--labels", "b"], "--images"),
      (["run", "a", "--input", ""], "--input"),
      (["run", "a", "--input", "b", "--output", ""], "--output"),
      (["inspect", "a", "--model", ""], "--model"),
    ])
  func emptyPaths(arguments: [String], name: String) throws {
    let result = try NetconvProcess.run(arguments)
    #expect(
      result.errors.split(separator: "\n").first
        == "netconv: error: \(name) is empty, expected a path")
    #expect(result.status == 64)
  }

  @Test(
    "what convert cannot do exits with 64 before the destination is touched",
    arguments: [
      (
        ["--target", "tpu"],
        "there is no target 'tpu'; known are mps, mpsgraph, mlx, torch, tensorflow, onnx, tflite, bnns, coreml, "
          + "ncnn, rtneural, tfjs, source"
      ),
      (
        ["--formats", "zip"],
        "there is no format 'zip'; known are bin, archive, safetensors, shards, npz, gguf, c, rtneural, tfjs, onnx, tflite and coreml"
      ),
      (
        ["--formats", ","],
        "no output format was named; known are bin, archive, safetensors, shards, npz, gguf, c, rtneural, tfjs, onnx, tflite and coreml"
      ),
      (
        ["--naming", "{name}"],
        "naming '{name}' cannot be used; write a template with {layer} and {role}, for example "
          + "'{layer}_{role}'"
      ),
    ])
  func requests(options: [String], message: String) throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    let result = try NetconvProcess.run(
      ["convert", "blobs", "out"] + options, in: line.folder.path)
    expectError(result, 64, message)
    #expect(try line.names() == ["blobs"])
  }

  @Test("a container alone is of no other format, and says so before anything is read")
  func otherFormats() throws {
    let line = try CommandLine()
    let cases = [
      ("x.netpack", "archive", "bin", "bin"),
      ("x.netpack", "archive", "bin,archive", "bin and archive"),
      ("x.safetensors", "safetensors", "npz", "npz"), ("x.npz", "npz", "archive", "archive"),
    ]
    for (name, container, formats, list) in cases {
      expectError(
        try line.netconv("convert", "blobs", name, "--formats", formats), 64,
        "'\(name)' is a single \(container) file, and cannot be written as \(list); name a folder, or leave out "
          + "--formats")
    }
    try TinyModel.write(to: line)
    for (name, container, _, _) in cases {
      expectSuccess(
        try line.netconv(
          "convert", "blobs", name, "--formats", container, "--force", "--quiet"))
    }
  }

  @Test("--model is refused where the source holds its own architecture")
  func architecture() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try line.folder.copy(Fixtures.path("keras/keras2-reshape-dense.h5"), to: "m.h5")
    try line.folder.copy(Fixtures.path("keras/archive-conv-same.keras"), to: "m.keras")
    expectSuccess(try line.netconv("convert", "blobs", "out", "--quiet"))
    let message =
      "holds its own architecture; leave out --model, which is for "
      + "files that hold only weights"
    for source in ["m.h5", "m.keras", "blobs", "out", "out/model.netpack"] {
      for verb in [
        ["inspect", source], ["verify", source], ["run", source, "--input", "in.npy"],
        ["convert", source, "other"],
      ] {
        expectError(
          try NetconvProcess.run(verb + ["--model", "no.json"], in: line.folder.path), 64,
          "\(source): \(message)")
      }
    }
    // With several sources it is the fault of one; the others are converted.
    let result = try line.netconv(
      "convert", "m.h5", "no.h5", "--into", "all", "--model", "no.json", "--quiet")
    #expect(
      result.errors == """
        netconv: error: m.h5: \(message)
        netconv: error: no.h5: no such file or folder; check the path

        """)
    #expect(result.status == 64)
  }

  @Test(
    "help of every verb goes to stdout",
    arguments: ["convert", "inspect", "verify", "run", "diff", "probe", "emit", "embed"])
  func help(verb: String) throws {
    for arguments in [[verb, "--help"], [verb, "-h"], ["help", verb]] {
      let result = try NetconvProcess.run(arguments)
      expectSuccess(result)
      #expect(result.output.hasPrefix("OVERVIEW: "))
      #expect(result.output.contains("USAGE: netconv \(verb) "))
      let lines = result.output.split(separator: "\n").filter { !$0.hasPrefix("USAGE:") }
      #expect(lines.allSatisfy { $0.count <= 80 })
    }
  }

  @Test("the help of inspect names every source")
  func sources() throws {
    let output = try NetconvProcess.run(["inspect", "--help"]).output
    for name in [".h5", ".keras", "model.json", "netconv's output"] {
      #expect(output.contains(name), "\(name)")
    }
  }

  @Test("without arguments the help is shown")
  func noArguments() throws {
    let result = try NetconvProcess.run([])
    expectSuccess(result)
    #expect(result.output.hasPrefix("OVERVIEW: "))
  }

  @Test("the version is a line of its own")
  func version() throws {
    let result = try NetconvProcess.run(["--version"])
    expectSuccess(result)
    #expect(result.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }
}
