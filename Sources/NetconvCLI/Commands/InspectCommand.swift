import ArgumentParser
import NetconvKit

/// `netconv inspect`.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows the layers, shapes, layouts and sizes of a network.",
    discussion: """
      PATH is a Keras .h5 or .keras file, a folder of raw blobs with model.json,
      or what netconv wrote. Without --stats no weight is read, however large
      the file is. Of a model with layers that are not supported it shows layers
      and tensors, and names these layers on stderr.

        netconv inspect ckpt.h5
        netconv inspect out/ --tensors --stats
      """)

  @Argument(help: "What to look into.", completion: .file())
  var path: String

  @OptionGroup var model: ArchitectureOption

  @Flag(help: "List every tensor with its layout, shape and place.")
  var tensors = false

  @Flag(help: "Read the weights and show minimum, maximum, mean and deviation; implies --tensors.")
  var stats = false

  @Flag(help: "Print one JSON document instead of text.")
  var json = false

  func validate() throws {
    try checkPaths(("PATH", path), ("--model", model.architecture))
  }

  func run() throws {
    let bar = ProgressBar("reading")
    let report = try Netconv.inspect(
      path, architecture: model.architecture, withStatistics: stats,
      observer: bar.observer(isQuiet: false))
    bar.clear()
    if json {
      Output.write(try report.json())
    } else {
      InspectRendering.print(report, withTensors: tensors || stats)
    }
    if let problem = report.problem {
      try Output.conclude(
        ["netconv: warning: " + problem.message] + problem.details.map { "  " + $0 })
    }
  }
}
