import ArgumentParser
import NetconvKit

/// The command `netconv diff`.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares two networks tensor by tensor, across formats and layouts.",
    discussion: """
      A and B can be in any format that netconv reads. Tensors are matched by layer
      and role, and where names differ, by their values. Values are compared by named
      axes, in whatever layout they are stored. Values that are equal up to rounding
      to the type they are stored in are equal, unless --exact is given. If
      both have a graph, operators, attributes and connections are compared too.
      Exits with 1 if the two differ.

      With --fold both are compared as convert --fold-batch-norm writes them: what a
      manifest does not record as folded is folded first.

        netconv diff ckpt.h5 out/
        netconv diff ckpt.h5 folded/ --fold
        netconv diff before.keras after.netpack --exact
        netconv diff before.keras after.keras --tolerance 1e-5
        netconv diff before.keras after.keras --html page.html
      """)

  @Argument(help: "A network in any format that netconv reads.", completion: .file())
  var a: String

  @Argument(help: "The network to compare with A.", completion: .file())
  var b: String

  @Flag(help: "Treat values that are equal only up to rounding as different.")
  var exact = false

  @Option(
    help: ArgumentHelp(
      "The largest allowed difference, as a fraction of the tensor's largest value in A. (default: rounding only)",
      valueName: "t"))
  var tolerance: Double?

  @Flag(
    help: "Fold BatchNormalization and Scale first, unless the conversion folded them.")
  var fold = false

  @OptionGroup(title: OptionTitle.readingBoth)
  var model: ArchitectureOption

  @OptionGroup(title: "Options for B, where they differ from those for A")
  var ofB: SideOptions<SecondSide>

  @OptionGroup(title: OptionTitle.readingBoth)
  var replace: ReplaceOption

  @OptionGroup(title: OptionTitle.output)
  var page: PageOptions

  @OptionGroup(title: OptionTitle.output)
  var output: OutputOptions

  func validate() throws {
    try checkPaths(("A", a), ("B", b), ("--model", model.path), ("--rename", model.renames))
    try model.checkConvention()
    if let tolerance {
      guard tolerance >= 0 && tolerance.isFinite else {
        throw ValidationError("--tolerance \(tolerance) is not a number from 0 up")
      }
      if exact { throw ValidationError("--exact allows no --tolerance; pass one") }
    }
  }

  func run() throws {
    var request = DiffRequest(first: a, second: b)
    request.exact = exact
    request.folds = fold
    request.tolerance = tolerance
    request.options = model.source
    request.secondOptions = ofB.source
    request.replacements = replace.replacements
    let file = try page.file(reading: a, b, model.path, model.renames, ofB.path, ofB.renames)
    request.forPage = file != nil
    let bar = ProgressBar("comparing")
    let report = try Netconv.diff(request, observer: bar.observer(isQuiet: output.quiet))
    bar.clear()
    if let file { try report.writePage(to: file, words: \.option) }
    if output.json {
      try Output.print(json: report)
    } else if !output.quiet {
      DiffRendering.print(report)
      if let file { Output.written(file) }
    }
    if !report.equal { throw ExitStatus.verdictIsNo }
  }
}
