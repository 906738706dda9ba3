import TestSupport
import Testing

@Suite("Verbs and options that do not exist")
struct UnknownNameTests {
  @Test(
    "the one that was meant is named, whatever stands behind it",
    arguments: [
      // What follows a misspelt option is no argument too many.
      ("convert a out --taget mps", "unknown option '--taget'; did you mean '--target'?"),
      ("convert a out --taget=mps", "unknown option '--taget'; did you mean '--target'?"),
      ("convert --taget mps a out", "unknown option '--taget'; did you mean '--target'?"),
      (
        "convert a out --weigths-only",
        "unknown option '--weigths-only'; did you mean '--weights-only'?"
      ),
      ("convert a out --fold", "unknown option '--fold'; did you mean '--fold-batch-norm'?"),
      ("convert a out -force", "unknown option '-force'; did you mean '--force'?"),
      ("inspect a --tensor", "unknown option '--tensor'; did you mean '--tensors'?"),
      ("verify a --agianst b", "unknown option '--agianst'; did you mean '--against'?"),
      (
        "verify a --min_accuracy 0.9",
        "unknown option '--min_accuracy'; did you mean '--min-accuracy'?"
      ),
      ("run a --imput b", "unknown option '--imput'; did you mean '--input'?"),
      ("diff a b --exect", "unknown option '--exect'; did you mean '--exact'?"),
      ("probe d --target mps --dtpye float16", "unknown option '--dtpye'; did you mean '--dtype'?"),
      ("emit a --languge=dsl", "unknown option '--languge'; did you mean '--language'?"),
      ("embed a --achive b", "unknown option '--achive'; did you mean '--archive'?"),
      // An option of another verb, and none at all.
      ("inspect a --min-accuracy 1", "unknown option '--min-accuracy'; it is an option of verify"),
      (
        "inspect a --target mps",
        "unknown option '--target'; it is an option of convert, relate and probe"
      ),
      ("diff a b --zzzzzz", "unknown option '--zzzzzz'"),
      ("convert a out -z", "unknown option '-z'"),
      // Verbs.
      ("convrt a b c", "unknown verb 'convrt'; did you mean 'convert'?"),
      (
        "ckpt.h5 out",
        "unknown verb 'ckpt.h5'; the verbs are convert, inspect, verify, merge, run, diff, relate, probe, emit, embed"
      ),
      ("--verison", "unknown option '--verison'; did you mean '--version'?"),
      (
        "--json inspect a",
        "unknown option '--json'; options follow the verb, as in netconv convert --json"
      ),
    ])
  func names(arguments: String, message: String) throws {
    let result = try NetconvProcess.run(arguments.split(separator: " ").map(String.init))
    #expect(result.errors.split(separator: "\n").first == "netconv: error: \(message)")
    #expect(result.errors.contains("\nUsage: netconv "))
    #expect(result.output == "")
    #expect(result.status == 64)
  }

  @Test("there is no help for a verb or a topic that does not exist")
  func help() throws {
    expectError(
      try NetconvProcess.run(["help", "insepct"]), 64,
      "unknown verb or topic 'insepct'; did you mean 'inspect'?")
    expectError(
      try NetconvProcess.run(["help", "format"]), 64,
      "unknown verb or topic 'format'; did you mean 'formats'?")
    expectError(
      try NetconvProcess.run(["help", "zzzzzz"]), 64,
      "unknown verb or topic 'zzzzzz'; the verbs are convert, inspect, verify, merge, run, diff, relate, probe, emit, "
        + "embed; the topics are formats, targets, layers, model.json, rules")
    expectError(
      try NetconvProcess.run(["help", "layers", "--json"]), 64,
      "help layers takes no arguments; leave out '--json'")
    expectSuccess(try NetconvProcess.run(["help", "inspect"]))
  }

  @Test(
    "what exists is left to its own error",
    arguments: [
      ("verify a --offset=-1 --limit 0", "--limit 0 is less than 1"),
      ("verify a --offset -0.5 --limit 0", "--limit 0 is less than 1"),
      ("inspect -- --tensor b", "Unexpected argument 'b'"),
      ("inspect a b -q", "Unexpected argument 'b'"),
      ("convert a out --naming --force", "Missing value for '--naming <template>'"),
    ])
  func others(arguments: String, message: String) throws {
    let result = try NetconvProcess.run(arguments.split(separator: " ").map(String.init))
    #expect(result.errors.split(separator: "\n").first == "netconv: error: \(message)")
    #expect(result.status == 64)
  }

  @Test(
    "an option that means nothing without another one, or beside it, is refused",
    arguments: [
      ("verify a --samples 4", "--samples needs --against"),
      ("verify a --reference b --samples 4", "--samples needs --against"),
      ("verify a --min-agreement 1", "--min-agreement needs --against"),
      ("verify a --tolerance 1", "--tolerance needs --against or --reference"),
      (
        "verify a --goldens --tolerance 1",
        "--goldens has its own inputs; leave out --tolerance"
      ),
      ("verify a --goldens --samples 4", "--goldens has its own inputs; leave out --samples"),
      (
        "verify a --reference b --min-accuracy 1",
        "--reference has its own inputs and no labels; leave out --min-accuracy"
      ),
      (
        "verify a --reference b --images c --labels d",
        "--reference has its own inputs and no labels; leave out --images"
      ),
      (
        "verify a --reference b --precision float16",
        "--reference compares float32 outputs; leave out --precision"
      ),
      (
        "probe --check a --target mps",
        "--target needs a DIR to write; --check reads the probe as it is"
      ),
      (
        "probe --check a --dtype float16",
        "--dtype needs a DIR to write; --check reads the probe as it is"
      ),
      ("probe --check a --force", "--force needs a DIR to write; --check reads the probe as it is"),
      ("probe d --probe e", "--probe needs --check FILE"),
      (
        "convert a out --dry-run --goldens 2",
        "--dry-run writes no goldens; leave out one of the two"
      ),
      ("convert a out --verbose -q", "--verbose and --quiet contradict each other; pass one"),
      ("verify a --verbose -q", "--verbose and --quiet contradict each other; pass one"),
      ("run a --input b --verbose -q", "--verbose and --quiet contradict each other; pass one"),
    ])
  func useless(arguments: String, message: String) throws {
    let result = try NetconvProcess.run(arguments.split(separator: " ").map(String.init))
    #expect(result.errors.split(separator: "\n").first == "netconv: error: \(message)")
    #expect(result.output == "")
    #expect(result.status == 64)
  }

  @Test(
    "what needs labelled images is not passed over where there are none",
    arguments: [["--min-accuracy", "0.9"], ["--min-agreement", "1"], ["--limit", "3"]])
  func noImages(options: [String]) throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    let result = try NetconvProcess.run(
      ["verify", "blobs", "--against", "blobs"] + options, in: line.folder.path)
    expectError(
      result, 64,
      "blobs: is compared on random inputs, since the built-in MNIST test set (28x28 pixels, 10 classes) does not "
        + "fit; \(options[0]) needs your own data, --images FILE --labels FILE")
  }
}
