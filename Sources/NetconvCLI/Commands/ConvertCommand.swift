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
      model.safetensors, or model.npz. If it ends in .netpack, it is that archive
      alone. Every tensor is read back and compared with the source before anything
      is published.

        netconv convert ckpt.h5 out/
        netconv convert ckpt.h5 model.netpack --dtype float16
        netconv convert ckpt.h5 out/ --target torch
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

  @Option(help: ArgumentHelp("Who will read the weights: \(targetNames).", valueName: "target"))
  var target = "mps"

  @Option(
    help: ArgumentHelp("How kernels are written: float32 or float16.", valueName: "type"))
  var dtype = ElementType.float32

  @Option(
    help: ArgumentHelp(
      "What to write besides the manifest, separated by commas: bin, archive, safetensors, npz; for tflite also c. (default: the target's)",
      valueName: "list"))
  var formats: String?

  @OptionGroup var model: ArchitectureOption

  @Option(
    help: ArgumentHelp(
      "How tensors are called, such as {layer}_{role}; the words for roles are the target's. (default: the target's)",
      valueName: "template"))
  var naming: String?

  @Option(
    help: ArgumentHelp(
      "Where tensors of the archive begin: a multiple of this power of two, up to 16384.",
      valueName: "bytes"))
  var align = 256

  @Option(
    help: ArgumentHelp(
      "What the conversion should take of memory at most, whatever the size of a tensor.",
      valueName: "MiB"))
  var maxMemory = 96

  @Flag(
    help: ArgumentHelp(
      "Write every tensor, but no graph; works with layers that are not supported, and without --model."
    ))
  var weightsOnly = false

  @Flag(help: "Replace an earlier output of netconv.")
  var force = false

  @Flag(help: "Fail if the target has no layout for a tensor, instead of keeping the source's.")
  var strict = false

  @OptionGroup var output: OutputOptions

  private static var targetNames: String { Netconv.targets.map(\.name).joined(separator: ", ") }

  func validate() throws {
    for path in paths { try checkPaths((into == nil ? "SOURCE or DEST" : "SOURCE", path)) }
    try checkPaths(("--into", into), ("--model", model.architecture))
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
    if let into {
      try convertAll(into: into)
    } else {
      let report = try convert(paths[0], to: paths[1])
      try ConvertRendering.print([report], failures: [], output)
    }
  }

  private func convert(_ source: String, to destination: String) throws -> ConvertReport {
    var request = ConvertRequest(source: source, destination: destination)
    request.target = target
    request.elementType = dtype
    request.formats = try outputFormats()
    request.architecture = model.architecture
    request.naming = naming
    request.alignment = align
    request.memoryLimit = maxMemory << 20
    request.force = force
    request.strict = strict
    request.weightsOnly = weightsOnly
    let bar = ProgressBar("converting")
    defer { bar.clear() }
    return try Netconv.convert(request, observer: bar.observer(isQuiet: output.quiet))
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

  private func convertAll(into directory: String) throws {
    try Netconv.createFolder(directory)
    var reports: [ConvertReport] = []
    var failures: [ConvertFailure] = []
    for (source, destination) in zip(paths, Netconv.destinations(for: paths, in: directory)) {
      do {
        reports.append(try convert(source, to: destination))
      } catch let error as NetconvError where error.concernsOneSource {
        Output.error("netconv: error: \(error)")
        failures.append(ConvertFailure(source: source, error: error))
      } catch let error as NetconvError where error.kind == .interrupted && !reports.isEmpty {
        try ConvertRendering.print(reports, failures: failures, output)
        throw NetconvError.interrupted(after: reports, of: paths.count)
      }
    }
    try ConvertRendering.print(reports, failures: failures, output)
    if let first = failures.first { throw ExitStatus(first.error.kind) }
  }
}

extension NetconvError {
  /// Whether other sources may still be converted: an error of usage that names no file is about an option.
  fileprivate var concernsOneSource: Bool {
    kind != .interrupted && (kind != .usage || file != nil)
  }

  /// An interruption when some sources were converted already.
  fileprivate static func interrupted(
    after reports: [ConvertReport], of count: Int
  ) -> NetconvError {
    NetconvError(
      .interrupted,
      "interrupted; of \(count) sources \(reports.count) \(reports.count == 1 ? "was" : "were") "
        + "converted, the others were not",
      details: reports.map { "\($0.source) -> \($0.destination)" })
  }
}
