import ArgumentParser
import ModelIR
import NetconvKit

/// `netconv convert`.
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Writes the weights of a network in the layout that a target wants.",
    usage: """
      netconv convert SOURCE DEST [options]
      netconv convert SOURCE ... --into DIR [options]
      """,
    discussion: """
      DEST is a folder with manifest.json and what the target is usually given:
      weights/LAYER_W.bin, weights/LAYER_b.bin, … and model.netpack, or
      model.safetensors, or model.npz. If it ends in .netpack, .safetensors or
      .npz, it is that container alone. Every tensor is read back and compared with
      the source before anything is published.

        netconv convert ckpt.h5 out/
        netconv convert ckpt.h5 model.netpack --dtype float16
        netconv convert ckpt.h5 out/ --target torch
        netconv convert ckpt.h5 model.safetensors --target torch
        netconv convert ckpt.h5 out/ --dtype float16 --dtype 'fc*=float32'
        netconv convert ckpt.h5 out/ --target source --dtype int8
        netconv convert a.h5 b.h5 c.h5 --into converted/
        netconv convert custom.keras weights/ --weights-only
      """)

  @Argument(
    help: ArgumentHelp("What to convert, then where to.", valueName: "source> <dest"),
    completion: .file())
  var paths: [String]

  @Option(
    help: ArgumentHelp(
      "Convert each source into DIR/NAME/, and go on after a failure.",
      valueName: "dir"),
    completion: .directory)
  var into: String?

  @Option(
    help: ArgumentHelp(
      "With --into, convert only part I of N of the sources; the folders are those of all parts together.",
      valueName: "i/n"))
  var shard: Shard?

  @Option(
    help: ArgumentHelp(
      """
      Who will read the weights: \(targetNames). (default: mps; with --weights-only nobody, and all keep the source's \
      order)
      """, valueName: "target"), completion: .targets)
  var target: String?

  @Option(
    help: ArgumentHelp(
      "Make the tensors that this file says, as netconv relate --map writes it, and no others.",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var map: String?

  @Option(
    help: ArgumentHelp(
      """
      How kernels are written: float32 (the default), float16, bfloat16 or int8; PATTERN=TYPE for those whose \
      layer or tensor (fc1_W) it matches, with * and ?. Can be repeated, the last match counts.
      """, valueName: "type"), completion: .list(ElementTypeChoice.allValueStrings))
  var dtype: [ElementTypeChoice] = []

  @Option(
    help: ArgumentHelp(
      "What to write besides the manifest, separated by commas: bin, archive, safetensors, npz; for tflite "
        + "also c. (default: the target's)",
      valueName: "list"),
    completion: .list(OutputFormat.allCases.map(\.rawValue)))
  var formats: String?

  @OptionGroup var model: ArchitectureOption

  @OptionGroup var replace: ReplaceOption

  @Option(
    help: ArgumentHelp(
      """
      How tensors are called, such as {layer}_{role}; the words for roles are the target's. With a dot behind, what \
      .bin files end in instead: {layer}_{role}.dat, or {layer}_{role}. for no ending. (default: the target's)
      """,
      valueName: "template"))
  var naming: String?

  @Option(
    help: ArgumentHelp(
      "Where tensors of the archive begin: a multiple of this power of two, up to 16384.",
      valueName: "bytes"))
  var align = 256

  @Option(
    help: ArgumentHelp(
      "The most memory that the conversion should take, however large a tensor is; at least 72.",
      valueName: "MiB"))
  var maxMemory = 96

  @Flag(
    help: ArgumentHelp(
      "Write every tensor, but no graph; works with layers that are not supported, and without --model."
    ))
  var weightsOnly = false

  @Flag(
    help: ArgumentHelp(
      "Write nothing, but say what the types of --dtype do to the values of each tensor."))
  var dryRun = false

  @Flag(help: "Write values that a type cannot hold as infinite, instead of failing.")
  var allowOverflow = false

  @Flag(
    help: ArgumentHelp(
      "Fold BatchNormalization and Scale into the kernels before them, where the graph allows."))
  var foldBatchNorm = false

  @Option(
    name: .customLong("filter"),
    help: ArgumentHelp(
      "Record what is to be done to pictures, such as blur=2.5, with NAME: in front for one of several inputs; run and verify do it. May be repeated.",
      valueName: "filter"))
  var filters: [String] = []

  @OptionGroup var goldens: GoldensOptions

  @Flag(help: "Replace an earlier output of netconv.")
  var force = false

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      """
      Fail if the target has no layout for a tensor, or keep the source's. (default: --strict if --target is given)
      """))
  var strict: Bool?

  @Flag(
    help: ArgumentHelp(
      "List the tensors that a line of the report only counts, such as those whose axes their shapes do not "
        + "tell apart."
    ))
  var verbose = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    for path in paths { try checkPaths((into == nil ? "SOURCE or DEST" : "SOURCE", path)) }
    try checkPaths(
      ("--into", into), ("--model", model.path), ("--rename", model.renames), ("--map", map))
    try model.checkConvention(takesWeights: weightsOnly)
    try checkVerbosity(verbose, quiet: output.quiet)
    if dryRun, goldens.request != nil {
      throw ValidationError("--dry-run writes nothing, and so no goldens; leave out one of the two")
    }
    try check([("--shard", shard != nil)], needs: "--into DIR", into != nil)
    if into == nil, paths.count != 2 {
      throw ValidationError(
        "convert takes a SOURCE and a DEST, \(paths.count) \(paths.count == 1 ? "was" : "were") "
          + "given; for several sources use --into DIR")
    }
    guard (1...16384).contains(align), align & (align - 1) == 0 else {
      throw ValidationError("--align \(align) is not a power of two from 1 to 16384")
    }
    let memory = ConvertRequest.leastMemoryLimit >> 20...1 << 30
    guard memory.contains(maxMemory) else {
      throw ValidationError(
        "--max-memory \(maxMemory) is not a number of MiB from \(memory.lowerBound) to \(memory.upperBound)"
      )
    }
  }

  func run() throws {
    switch (dryRun, into) {
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
    request.target = target
    request.map = map
    request.setElementTypes(dtype)
    request.formats = try outputFormats()
    request.architecture = model.architecture
    request.renames = model.renames
    request.convention = model.conventionOfWeights
    request.graph = model.graph.selection
    request.replacements = replace.replacements
    request.naming = naming
    request.alignment = align
    request.memoryLimit = maxMemory << 20
    request.force = force
    request.strict = strict ?? (target != nil)
    request.weightsOnly = weightsOnly
    request.allowOverflow = allowOverflow
    request.foldsBatchNormalization = foldBatchNorm
    request.filters = filters
    request.goldens = goldens.request
    return request
  }

  private func outputFormats() throws -> [OutputFormat]? {
    try formats?.split(separator: ",").map { name in
      guard let format = OutputFormat(rawValue: String(name)) else {
        throw NetconvError(
          .usage, "there is no format \(quoted(name)); known are \(OutputFormat.list)")
      }
      return format
    }
  }

  /// Does `work` for each source, goes on after a failure, which may also be in a report, and prints what came of it.
  private func forEachSource<Report>(
    into directory: String, _ work: (String, String) throws -> Report,
    print: ([Report], [ConvertFailure]) throws(NetconvError) -> Void, name: (Report) -> String,
    failure: (Report) -> NetconvError? = { _ in nil }
  ) throws {
    var reports: [Report] = []
    var failures: [ConvertFailure] = []
    let all = Array(zip(paths, Netconv.destinations(for: paths, in: directory)))
    let wanted = all[shard?.range(of: all.count) ?? all.indices]
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
  /// Whether other sources may still be converted: an error of usage that names no file is about an option.
  fileprivate var concernsOneSource: Bool {
    kind != .interrupted && (kind != .usage || file != nil)
  }

  /// An interruption when some sources were converted already.
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
