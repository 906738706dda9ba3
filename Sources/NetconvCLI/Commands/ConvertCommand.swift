import ArgumentParser
import ModelIR
import NetconvKit

/// The command `netconv convert`.
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Writes the weights of a network in the layout that a target expects.",
    usage: """
      netconv convert SOURCE DEST [options]
      netconv convert SOURCE ... --into DIR [options]
      """,
    discussion: """
      DEST is a folder with manifest.json and the target's usual files:
      weights/LAYER_W.bin, weights/LAYER_b.bin, … and model.netpack, or
      model.safetensors, or model.npz. If it ends in .netpack, .safetensors, .npz,
      .gguf, .onnx, .tflite or .mlpackage, it is that format alone; the last three
      are the whole network, as a graph. Every tensor is read back and compared
      with the source before anything is published.

        netconv convert ckpt.h5 out/
        netconv convert ckpt.h5 model.netpack --dtype float16
        netconv convert ckpt.h5 network.onnx
        netconv convert ckpt.h5 network.tflite
        netconv convert ckpt.h5 network.mlpackage
        netconv convert ckpt.h5 out/ --target torch
        netconv convert ckpt.h5 model.safetensors --target torch
        netconv convert ckpt.h5 out/ --dtype float16 --dtype 'fc*=float32'
        netconv convert ckpt.h5 out/ --target source --dtype int8
        netconv convert a.h5 b.h5 c.h5 --into converted/
        netconv convert custom.keras weights/ --weights-only
        netconv convert model.safetensors model.gguf --weights-only --quantize q8_0
      """)

  @Argument(
    help: ArgumentHelp("The sources, then the destination.", valueName: "source> <dest"),
    completion: .file())
  var paths: [String]

  @OptionGroup(title: "Destination")
  var place: DestinationOptions

  @OptionGroup(title: "Target")
  var wanted: TargetOptions

  @OptionGroup(title: "Written files")
  var contents: ContentOptions

  @OptionGroup(title: "Rules for weights without a graph")
  var rules: RuleOptions

  @OptionGroup(title: OptionTitle.goldens)
  var goldens: GoldensOptions

  @OptionGroup(title: OptionTitle.reading)
  var model: ArchitectureOption

  @OptionGroup(title: OptionTitle.reading)
  var replace: ReplaceOption

  @Option(
    help: ArgumentHelp(
      "The memory limit of the conversion, however large a tensor is; at least 72.",
      valueName: "MiB"))
  var maxMemory = 96

  @Flag(
    help: ArgumentHelp(
      "Write nothing, but report how the types of --dtype change the values of each tensor."))
  var dryRun = false

  @Flag(
    help: ArgumentHelp(
      "List the tensors that the report only counts, such as tensors whose axes their shapes do not "
        + "tell apart."
    ))
  var verbose = false

  @OptionGroup(title: OptionTitle.output)
  var output: OutputOptions

  func validate() throws {
    let into = place.into
    for path in paths { try checkPaths((into == nil ? "SOURCE or DEST" : "SOURCE", path)) }
    try checkPaths(("--model", model.path), ("--rename", model.renames))
    try model.checkConvention(takesWeights: contents.weightsOnly)
    try check(rules.given, needs: "--weights-only", contents.weightsOnly)
    try checkVerbosity(verbose, quiet: output.quiet)
    if dryRun, goldens.request != nil {
      throw ValidationError("--dry-run writes no goldens; leave out one of the two")
    }
    if into == nil, paths.count != 2 {
      throw ValidationError(
        "convert needs a SOURCE and a DEST, \(paths.count) \(paths.count == 1 ? "was" : "were") "
          + "given; for several sources use --into DIR")
    }
    let memory = ConvertRequest.leastMemoryLimit >> 20...1 << 30
    guard memory.contains(maxMemory) else {
      throw ValidationError(
        "--max-memory \(maxMemory) is not a number of MiB from \(memory.lowerBound) to \(memory.upperBound)"
      )
    }
  }

  func run() throws {
    switch (dryRun, place.into) {
    case (false, nil):
      let report = try convert(paths[0], to: paths[1])
      try ConvertRendering.print([report], failures: [], output, isVerbose: verbose)
    case (false, let into?):
      try Netconv.createFolder(into)
      try forEachSource(into: into, convert) { reports, failures throws(NetconvError) in
        try ConvertRendering.print(reports, failures: failures, output, isVerbose: verbose)
      } name: {
        "\($0.source) -> \($0.destination)"
      }
    case (true, nil):
      let report = try preflight(paths[0], to: paths[1])
      try PreflightRendering.print([report], failures: [], output)
      if let overflow = report.overflow { throw overflow }
    case (true, let into?):
      try forEachSource(into: into, preflight) { reports, failures throws(NetconvError) in
        try PreflightRendering.print(reports, failures: failures, output)
      } name: {
        $0.source
      } failure: {
        $0.overflow
      }
    }
  }

  private func convert(_ source: String, to destination: String) throws -> ConvertReport {
    let bar = ProgressBar("converting")
    defer { bar.clear() }
    return try Netconv.convert(
      try request(source, destination),
      observer: bar.observer(isQuiet: output.quiet, isVerbose: verbose))
  }

  private func preflight(_ source: String, to destination: String) throws -> PreflightReport {
    try Netconv.preflight(
      try request(source, destination),
      observer: ProgressBar("reading").observer(isQuiet: output.quiet, isVerbose: verbose))
  }

  private func request(_ source: String, _ destination: String) throws -> ConvertRequest {
    var request = ConvertRequest(source: source, destination: destination)
    request.target = wanted.target
    request.map = wanted.map
    request.setElementTypes(wanted.dtype)
    request.naming = wanted.naming
    request.strict = wanted.strict ?? (wanted.target != nil)
    request.allowOverflow = wanted.allowOverflow
    request.formats = try contents.outputFormats()
    request.alignment = contents.align
    request.channelsFirst = contents.onnxLayout.map { $0 == .channelsFirst }
    request.opset = contents.opset
    request.weightsOnly = contents.weightsOnly
    (request.rules, request.keep, request.layouts) = (rules.request, rules.keep, rules.layout)
    request.shardSize = contents.shardSize
    request.quantization = contents.quantize
    request.adapters = contents.adapters
    request.foldsBatchNormalization = contents.foldBatchNorm
    request.filters = contents.filters
    request.goldens = goldens.request
    request.options = model.source
    request.convention = model.conventionOfWeights
    request.replacements = replace.replacements
    request.memoryLimit = maxMemory << 20
    request.force = place.force
    return request
  }

  /// Runs `work` for each source, continues after failures, which may also be in a report, and
  /// prints the reports.
  private func forEachSource<Report>(
    into directory: String, _ work: (String, String) throws -> Report,
    print: ([Report], [ConvertFailure]) throws(NetconvError) -> Void, name: (Report) -> String,
    failure: (Report) -> NetconvError? = { _ in nil }
  ) throws {
    var reports: [Report] = []
    var failures: [ConvertFailure] = []
    let all = Array(zip(paths, Netconv.destinations(for: paths, in: directory)))
    let wanted = all[place.shard?.range(of: all.count) ?? all.indices]
    for (source, destination) in wanted {
      do {
        let report = try work(source, destination)
        reports.append(report)
        if let failure = failure(report) { throw failure }
      } catch let error as NetconvError where error.concernsOneSource {
        Output.error("netconv: error: \(error.options)")
        failures.append(ConvertFailure(source: source, error: error))
      } catch let error as NetconvError where error.kind == .interrupted && !reports.isEmpty {
        try print(reports, failures)
        throw NetconvError.interrupted(after: reports.map(name), of: wanted.count)
      }
    }
    try print(reports, failures)
    guard let first = failures.first else { return }
    if !output.json, !output.quiet {
      let names = failures.map { quoted($0.source) }.joined(separator: ", ")
      try Output.conclude(["netconv: \(failures.count) of \(wanted.count) sources failed: \(names)"]
      )
    }
    throw ExitStatus(first.error.kind)
  }
}

extension NetconvError {
  /// True if other sources can still be converted.
  ///
  /// A usage error that names no file is about an option.
  fileprivate var concernsOneSource: Bool {
    kind != .interrupted && (kind != .usage || file != nil)
  }

  /// The error for an interruption after some sources were converted.
  fileprivate static func interrupted(
    after done: [String], of count: Int
  ) -> NetconvError {
    NetconvError(
      .interrupted,
      "interrupted; of \(count) sources \(done.count) \(done.count == 1 ? "was" : "were") "
        + "converted, the others were not",
      details: done)
  }
}
