import ArgumentParser
import ModelIR
import NetconvKit

/// The command `netconv inspect`.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows the layers, shapes, layouts and sizes of a network.",
    discussion: """
      PATH is a Keras .h5 or .keras file, a TensorFlow checkpoint or graph, a
      PyTorch, safetensors or GGUF file, NumPy arrays, a folder of raw blobs
      with model.json, or netconv's output. Without --stats no weight is read,
      however large the file is. For a model with unsupported layers it still
      shows layers and tensors, and names these layers on stderr. For a file
      with pickles it lists what Python would call to load it; netconv calls
      nothing. --html draws the graph and the values of each tensor.

        netconv inspect ckpt.h5
        netconv inspect out/ --tensors --stats
        netconv inspect model.pt --strict
        netconv inspect ckpt.h5 --html page.html
      """)

  @Argument(help: "The network to inspect.", completion: .file())
  var path: String

  @OptionGroup(title: OptionTitle.reading)
  var model: ArchitectureOption

  @OptionGroup(title: OptionTitle.reading)
  var replace: ReplaceOption

  @Flag(help: "List every tensor with its layout, shape and location, and what was left out.")
  var tensors = false

  @Flag(help: "Read the weights and show minimum, maximum, mean and deviation; implies --tensors.")
  var stats = false

  @Flag(help: "List what Python would call to load the pickles of a file.")
  var pickleCalls = false

  @Flag(
    help: "Exit with 1 if loading it in Python would call anything but tensor constructors.")
  var strict = false

  @Flag(
    help: ArgumentHelp(
      """
      Print a draft model.json for weights without a graph, with "?" for unknown values: edit it, and \
      pass it with --model.
      """))
  var scaffold = false

  @OptionGroup(title: OptionTitle.output)
  var page: PageOptions

  @OptionGroup(title: OptionTitle.output)
  var output: OutputOptions

  func validate() throws {
    try checkPaths(("PATH", path), ("--model", model.path), ("--rename", model.renames))
    guard scaffold else { return try model.checkConvention() }
    // A scaffold accepts these two options.
    let ofModel = model.given.filter { !["--convention", "--rename"].contains($0.name) }
    let others =
      ofModel + [
        ("--tensors", tensors), ("--stats", stats), ("--pickle-calls", pickleCalls),
        ("--strict", strict), ("--json", output.json), ("--html", page.page.html != nil),
        ("--replace", !replace.replacements.isEmpty),
      ]
    if let other = others.first(where: \.isThere) {
      throw ValidationError(
        "--scaffold prints a model.json and nothing else; leave out \(other.name)")
    }
  }

  func run() throws {
    if scaffold { return try printScaffold() }
    let file = try page.file(reading: path, model.path, model.renames)
    let bar = ProgressBar("reading")
    let report = try Netconv.inspect(
      path, architecture: model.architecture, replacements: replace.replacements,
      renames: model.renames, graph: model.graph.selection,
      withStatistics: stats, forPage: file != nil,
      observer: bar.observer(
        isQuiet: output.quiet, isVerbose: (tensors || stats) && !output.quiet ? true : nil))
    bar.clear()
    if let file { try report.writePage(to: file, words: \.option) }
    if output.json {
      try Output.print(json: report)
    } else if !output.quiet {
      InspectRendering.print(
        report, withTensors: tensors || stats, withPickleCalls: pickleCalls)
      if let file { Output.written(file) }
    }
    if let problem = report.problem, !output.quiet {
      try Output.conclude(
        ["netconv: warning: " + problem.message.options]
          + problem.details.map { "  " + $0.options })
    }
    if strict, report.pickle?.outside.isEmpty == false { throw ExitStatus.verdictIsNo }
  }

  private func printScaffold() throws {
    let bar = ProgressBar("reading")
    let scaffold = try Netconv.scaffold(
      path, convention: model.convention, renames: model.renames,
      graph: model.graph.selection,
      observer: bar.observer(isQuiet: output.quiet))
    bar.clear()
    Output.write(scaffold.text)
    guard !output.quiet else { return }
    let count = scaffold.leftOut.count
    try Output.conclude(
      [
        "netconv: \(counted(scaffold.questionCount, "question is", "questions are")) open; the key \"scaffold\" lists them"
      ]
        + (count == 0
          ? []
          : [
            "netconv: warning: \(counted(count, "tensor belongs", "tensors belong")) to no layer that is recognised"
          ]
            + scaffold.leftOut.prefix(20).map { "  \(escaped($0))" }))
  }
}
