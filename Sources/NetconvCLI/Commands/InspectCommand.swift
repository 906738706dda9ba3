import ArgumentParser
import NetconvKit

/// `netconv inspect`.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows the layers, shapes, layouts and sizes of a network.",
    discussion: """
      PATH is a Keras .h5 or .keras file, a TensorFlow checkpoint or graph, a
      PyTorch or safetensors file, arrays of NumPy, a folder of raw blobs with
      model.json, or what netconv wrote. Without --stats no weight is read,
      however large the file is. Of a model with layers that are not supported
      it shows layers and tensors, and names these layers on stderr. Of a file
      with pickles it says what Python would run to load it; netconv runs
      nothing.

        netconv inspect ckpt.h5
        netconv inspect out/ --tensors --stats
        netconv inspect model.pt --strict
      """)

  @Argument(help: "What to look into.", completion: .file())
  var path: String

  @OptionGroup var model: ArchitectureOption

  @OptionGroup var replace: ReplaceOption

  @OptionGroup var part: EntryOption

  @Flag(help: "List every tensor with its layout, shape and place, and what was left out.")
  var tensors = false

  @Flag(help: "Read the weights and show minimum, maximum, mean and deviation; implies --tensors.")
  var stats = false

  @Flag(help: "List what Python would call to load the pickles of a file.")
  var pickleCalls = false

  @Flag(
    help: "Exit with 1 if loading it in Python would use anything but constructors of tensors.")
  var strict = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    try checkPaths(("PATH", path), ("--model", model.architecture), ("--rename", model.renames))
  }

  func run() throws {
    let bar = ProgressBar("reading")
    let report = try Netconv.inspect(
      path, architecture: model.architecture, replacements: replace.replacements,
      renames: model.renames, graph: model.graph.selection, entry: part.entry,
      withStatistics: stats,
      observer: bar.observer(
        isQuiet: output.quiet, isVerbose: (tensors || stats) && !output.quiet ? true : nil))
    bar.clear()
    if output.json {
      try Output.print(json: report)
    } else if !output.quiet {
      InspectRendering.print(
        report, withTensors: tensors || stats, withPickleCalls: pickleCalls)
    }
    if let problem = report.problem, !output.quiet {
      try Output.conclude(
        ["netconv: warning: " + problem.message.options]
          + problem.details.map { "  " + $0.options })
    }
    if strict, report.pickle?.outside.isEmpty == false { throw ExitStatus.verdictIsNo }
  }
}
