import ArgumentParser
import NetconvKit

/// The command `netconv relate`.
struct RelateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relate",
    abstract: "Finds the tensor of A that each tensor of B came from, and how it was rearranged.",
    discussion: """
      A and B can be in any format that netconv reads, with or without a graph.
      Tensors are matched by values, not by names, order or shapes. It finds axes
      that were moved, merged, split or reversed, gates and channels in another
      order, tensors that were joined or split, added zeros, rounding, changed
      signs, sums of two biases, factors, offsets and folded normalisations. Every
      value is compared. Tensors of several layers are compared with each other:
      the one that was made otherwise is named.
      If the values fit two rearrangements, both are listed.
      If B or --target names the target, each tensor is judged: not transposed,
      transposed twice, and how to correct it. For weights without a graph,
      --convention says whose names and layouts A has. Exits with 1 if a tensor of
      either has no relative in the other, has another sign, factor or offset, was
      made otherwise than its siblings, is not in its target's layout, or, with
      --target, cannot be judged. The same holds if
      two tensors have each other's names in B, and --target is given or all names
      of B are names of A.

        netconv relate model.h5 ported.safetensors
        netconv relate checkpoint.pt out/ --json
        netconv relate a.h5 b.safetensors --map rule.json
        netconv relate hf.safetensors port.gguf --rules rules.json
        netconv convert retrained.h5 b2.safetensors --map rule.json
        netconv relate model.h5 ported.safetensors --html page.html
      """)

  @Argument(help: "The original weights, in any format that netconv reads.", completion: .file())
  var a: String

  @Argument(help: "The ported weights, in any format that netconv reads.", completion: .file())
  var b: String

  @Option(
    help: ArgumentHelp(
      "The code that reads B: \(targetNames). (default: the one that B names, if any)",
      valueName: "target"),
    completion: .targets)
  var target: String?

  @Option(
    help: ArgumentHelp(
      "Write how each tensor of B is made to this file; netconv convert --map applies it to other weights.",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var map: String?

  @Option(
    help: ArgumentHelp(
      "Write rules that make B from A to this file; netconv convert --rules applies them to other weights.",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var rules: String?

  @Option(
    name: .customLong("adapter"),
    help: ArgumentHelp(
      "Merge a LoRA adapter of PEFT into A first: its folder. May be repeated. (default: none)",
      valueName: "dir"), completion: .directory)
  var adapters: [String] = []

  @OptionGroup(title: OptionTitle.output)
  var page: PageOption

  @Flag(help: "Replace an earlier file of --map, --rules or --html.")
  var force = false

  @OptionGroup(title: OptionTitle.readingBoth)
  var model: ArchitectureOption

  @OptionGroup(title: "Options for B, where they differ from those for A")
  var ofB: SideOptions<SecondSide>

  @OptionGroup(title: OptionTitle.output)
  var output: OutputOptions

  func validate() throws {
    try checkPaths(
      ("A", a), ("B", b), ("--model", model.path), ("--rename", model.renames),
      ("--map", map), ("--rules", rules))
    for path in adapters { try checkPaths(("--adapter", path)) }
    if !adapters.isEmpty, let option = map != nil ? "--map" : rules != nil ? "--rules" : nil {
      throw ValidationError(
        "\(option) describes how A is made into B, and --adapter changes A before; leave out one of the two, or merge with "
          + "convert --adapter first")
    }
    try model.checkConvention(takesWeights: true)
  }

  func run() throws {
    var request = RelateRequest(first: a, second: b)
    request.options = model.source
    request.secondOptions = ofB.source
    request.convention = model.conventionOfWeights
    (request.map, request.rules) = (map, rules)
    request.force = force
    request.target = target
    request.adapters = adapters
    let file = try page.file(
      force: force, reading: [a, b, model.path, model.renames, ofB.path, ofB.renames])
    request.forPage = file != nil
    let bar = ProgressBar("relating")
    let report = try Netconv.relate(request, observer: bar.observer(isQuiet: output.quiet))
    bar.clear()
    if let file { try report.writePage(to: file, words: \.option) }
    if output.json {
      try Output.print(json: report)
    } else if !output.quiet {
      RelateRendering.print(report)
      if let file { Output.written(file) }
    }
    guard report.complete, report.changed.isEmpty, report.isRightForConsumer,
      report.exchanged?.isMistake != true, report.misordered == nil, report.odd == nil,
      report.rules?.unsaid.isEmpty != false
    else {
      throw ExitStatus.verdictIsNo
    }
  }
}
