import ArgumentParser
import ModelIR
import NetconvKit

/// The command `netconv run`.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs a network on pictures or arrays and shows its outputs.",
    discussion: """
      Pictures are PNG, JPEG, PGM and PPM files, arrays of images in IDX or .npy, and
      folders with such files. They are fitted to the input, and the steps are
      printed. --filter sets other steps instead; Docs/filters.md lists all filters.

        netconv run out/ photo.jpg --labels labels.txt --top 3
        netconv run out/ photos/ --filter fill=224x224 --filter saturation=0.5

      Arrays are fed as they are, in .npy or .npz files.
      The first axis of each array is the batch. Arrays of an .npz are matched with
      inputs by name, else by order. Outputs are written under the names of their
      layers; a single output can be an .npy file.

      An array of unsigned bytes for an image input holds pixels, which are prepared
      as verify prepares them; everything else is fed unchanged. A network with
      channels first accepts arrays with channels last too.

        netconv run out/ --input images.npy --output predictions.npz
        netconv run out/ --input images.npz --output all.npz --layer conv1
        netconv run out/ --input image.npy --repeat 20 --json
      """)

  @Argument(
    help: "The network: a converted folder, an archive, or a source.",
    completion: .file())
  var path: String

  @OptionGroup(title: OptionTitle.reading)
  var model: ArchitectureOption

  @OptionGroup(title: OptionTitle.reading)
  var replace: ReplaceOption

  @Argument(
    help: ArgumentHelp(
      "The pictures to run it on: files, and folders of files.", valueName: "pictures"),
    completion: .file())
  var pictures: [String] = []

  @Option(
    help: ArgumentHelp(
      "Arrays to run it on, instead of pictures: .npy or .npz.", valueName: "file"),
    completion: .file(extensions: ["npy", "npz"]))
  var input: String?

  @Option(
    help: ArgumentHelp(
      "The names of the classes, for pictures: text with a line for each, or JSON. (default: their indices)",
      valueName: "file"),
    completion: .file())
  var labels: String?

  @Option(
    help: ArgumentHelp("How many classes to show for each picture. (default: 5)", valueName: "n"))
  var top: Int?

  @OptionGroup(title: OptionTitle.pixels)
  var pixels: PixelOptions

  @Option(
    help: ArgumentHelp(
      "The file for the outputs: .npz, or .npy for a single output. (default: none)",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace an existing .npy or .npz file with the outputs; never an input.")
  var force = false

  @Option(
    name: .customLong("layer"),
    help: ArgumentHelp("Write the output of this layer too; may be repeated.", valueName: "name"))
  var layers: [String] = []

  @Option(
    help: ArgumentHelp(
      "The axis order of the outputs of a network with channels first: source, channels first, or model, channels last.",
      valueName: "order"))
  var axes = OutputAxes.source

  @OptionGroup(title: OptionTitle.engine)
  var engine: EngineOption

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "Run N times after a warm-up and report the median time. (default: once, untimed)",
      valueName: "n"))
  var repetitions: Int?

  @OptionGroup(title: OptionTitle.output)
  var printing: OutputOptions

  func validate() throws {
    try checkPaths(
      ("PATH", path), ("--model", model.path), ("--rename", model.renames),
      ("--input", input), ("--labels", labels), ("--output", output))
    try model.checkConvention()
    for picture in pictures { try checkPaths(("PICTURES", picture)) }
    if let arrays = pictures.first(where: { $0.lowercased().hasSuffix(".npz") }) {
      throw ValidationError(
        "\(quoted(arrays)) holds arrays, not a picture; pass it with --input")
    }
    guard pictures.isEmpty != (input == nil) else {
      throw ValidationError(
        pictures.isEmpty
          ? "no input was given; name pictures, or arrays with --input"
          : "pictures and --input are both given; run them one after the other")
    }
    if input != nil, let option = labels.map({ _ in "--labels" }) ?? top.map({ _ in "--top" }) {
      throw ValidationError("\(option) is for pictures; leave it out, or name pictures")
    }
    if let top, top < 1 { throw ValidationError("--top \(top) is less than 1") }
    if repetitions != nil, input == nil {
      throw ValidationError("--repeat is for arrays; pass them with --input")
    }
    if force, output == nil {
      throw ValidationError("--force is for --output; name a file, or leave it out")
    }
    try checkVerbosity(engine.verbose, quiet: printing.quiet)
    if let repetitions, repetitions < 1 {
      throw ValidationError("--repeat \(repetitions) is less than 1")
    }
  }

  func run() throws {
    var request = RunRequest(path: path, data: input.map { .arrays($0) } ?? .pictures(pictures))
    request.labels = labels
    request.top = top ?? request.top
    request.options = model.source
    request.scale = pixels.scale
    request.offset = pixels.offset
    request.filters = pixels.filters
    request.replacements = replace.replacements
    request.output = output
    request.force = force
    request.layers = layers
    request.axes = axes
    request.engine = engine.engine
    request.precision = engine.precision
    request.repetitions = repetitions
    let bar = ProgressBar("running")
    let report = try Netconv.run(
      request, observer: bar.observer(isQuiet: printing.quiet, isVerbose: engine.verbose))
    bar.clear()
    if printing.json {
      try Output.print(json: report)
    } else if !printing.quiet {
      RunRendering.print(report)
    }
  }
}
