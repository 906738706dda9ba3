import ArgumentParser
import NetconvKit

/// `netconv verify`.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Runs a network on labelled images and shows its accuracy.",
    discussion: """
      Of a converted folder or archive only what was written there is used, after
      its hashes were checked. With no data named it runs the MNIST test set, which
      is part of the program, on any network that takes 28x28 pixels and gives ten
      classes. Exits with 1 if the accuracy is below --min-accuracy.

        netconv verify out/
        netconv verify out/ --min-accuracy 0.99 --confusion
        netconv verify out/ --images test-images.npy --labels test-labels.npy
      """)

  @Argument(
    help: "What to verify: a converted folder, an archive, or a source.",
    completion: .file())
  var path: String

  @OptionGroup var model: ArchitectureOption

  @Option(
    help: ArgumentHelp(
      "Images: IDX (plain or gzip) or .npy; or an .npz with x_test and y_test.", valueName: "file"),
    completion: .file())
  var images: String?

  @Option(
    help: ArgumentHelp("The class of each image: IDX (plain or gzip) or .npy.", valueName: "file"),
    completion: .file())
  var labels: String?

  @Option(
    help: ArgumentHelp(
      "What pixels are multiplied by (default: what the model records, else 1/255).",
      valueName: "s"))
  var scale: Double?

  @Option(
    help: ArgumentHelp(
      "What is added to scaled pixels (default: what the model records, else 0).", valueName: "o"))
  var offset: Double?

  @Option(help: ArgumentHelp("Run only the first N images.", valueName: "n"))
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "Exit with 1 if the accuracy, a fraction from 0 to 1, is below P.", valueName: "p"))
  var minAccuracy: Double?

  @Flag(help: "Show how often each class was taken for each other.")
  var confusion = false

  @OptionGroup var engine: EngineOption

  @OptionGroup var output: OutputOptions

  func validate() throws {
    try checkPaths(
      ("PATH", path), ("--model", model.architecture), ("--images", images), ("--labels", labels))
    if labels != nil, images == nil {
      throw ValidationError("--labels needs --images")
    }
    if let images, labels == nil, !images.hasSuffix(".npz") {
      throw ValidationError("--images needs --labels, unless it is an .npz with x_test and y_test")
    }
    if let limit, limit < 1 { throw ValidationError("--limit \(limit) is not at least 1") }
    if let minAccuracy, !(0...1).contains(minAccuracy) {
      throw ValidationError("--min-accuracy \(minAccuracy) is not a fraction from 0 to 1")
    }
    for (name, value) in [("scale", scale), ("offset", offset)] {
      if let value, !value.isFinite { throw ValidationError("--\(name) \(value) is not finite") }
    }
  }

  func run() throws {
    var request = VerifyRequest(path: path)
    request.architecture = model.architecture
    if let images {
      request.data = labels.map { .files(images: images, labels: $0) } ?? .archive(images)
    }
    request.scale = scale
    request.offset = offset
    request.limit = limit
    request.minimumAccuracy = minAccuracy
    request.engine = engine.engine
    let bar = ProgressBar("verifying")
    let report = try Netconv.verify(
      request, observer: bar.observer(isQuiet: output.quiet, isVerbose: engine.verbose))
    bar.clear()
    if output.json {
      Output.write(try report.json())
    } else if !output.quiet {
      VerifyRendering.print(report, withConfusion: confusion)
    }
    guard report.passed else {
      if !output.json {
        Output.error(
          "netconv: the accuracy \(fixed(report.accuracy, 4)) is below the "
            + "\(report.minimumAccuracy.map { "\($0)" } ?? "") asked for")
      }
      throw ExitStatus.verdictIsNo
    }
  }
}
