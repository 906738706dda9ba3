import ArgumentParser
import NetconvKit

/// `netconv inspect`.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows the layers, shapes, layouts and sizes of a network.",
    discussion: """
      PATH is a Keras .h5 or .keras file, a TensorFlow checkpoint or graph, a
      folder of raw blobs with model.json, or what netconv wrote. Without --stats
      no weight is read, however large the file is. Of a model with layers that
      are not supported it shows layers and tensors, and names these layers on
      stderr.

        netconv inspect ckpt.h5
        netconv inspect out/ --tensors --stats
      """)

  @Argument(help: "What to look into.", completion: .file())
  var path: String

  @OptionGroup var model: ArchitectureOption

  @OptionGroup var replace: ReplaceOption

  @Flag(help: "List every tensor with its layout, shape and place, and what was left out.")
  var tensors = false

  @Flag(help: "Read the weights and show minimum, maximum, mean and deviation; implies --tensors.")
  var stats = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    try checkPaths(("PATH", path), ("--model", model.architecture), ("--rename", model.renames))
  }

  func run() throws {
    let bar = ProgressBar("reading")
    let report = try Netconv.inspect(
      path, architecture: model.architecture, replacements: replace.replacements,
      renames: model.renames, graph: model.graph.selection, withStatistics: stats,
      observer: bar.observer(
        isQuiet: output.quiet, isVerbose: (tensors || stats) && !output.quiet ? true : nil))
    bar.clear()
    if output.json {
      try Output.print(json: report)
    } else if !output.quiet {
      InspectRendering.print(report, withTensors: tensors || stats)
    }
    if let problem = report.problem, !output.quiet {
      try Output.conclude(
        ["netconv: warning: " + problem.message.options]
          + problem.details.map { "  " + $0.options })
    }
  }
}
