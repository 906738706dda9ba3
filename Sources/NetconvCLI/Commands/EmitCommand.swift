import ArgumentParser
import ModelIR
import NetconvKit

/// `netconv emit`.
struct EmitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emit",
    abstract: "Writes a network as source code.",
    discussion: """
      PATH is anything that netconv reads.

      \(EmittedLanguage.all.map(\.usage).joined(separator: "\n\n"))
      """)

  @Argument(help: "What to write as source code.", completion: .file())
  var path: String

  @Option(help: ArgumentHelp("The language.", valueName: "language"))
  var language = EmittedLanguage.standard

  @Option(
    help: ArgumentHelp("The folder of the package.", valueName: "directory"),
    completion: .directory)
  var output: String?

  @Option(help: "What the package's module is called; by default, what PATH is.")
  var name: String?

  @Option(help: "How the package stores images and kernels: float16 or float32.")
  var precision: Precision?

  @Flag(
    name: .customLong("fold-batch-norm"),
    help: "Fold normalisations and scales into the kernels before them, where the graph allows.")
  var foldBatchNorm = false

  @Flag(help: "Replace an earlier package of the same name.")
  var force = false

  @OptionGroup var model: ArchitectureOption

  @OptionGroup var replace: ReplaceOption

  @OptionGroup var printing: QuietOption

  func validate() throws {
    try checkPaths(
      ("PATH", path), ("--model", model.architecture), ("--rename", model.renames),
      ("--output", output))
    if output == nil, name != nil || precision != nil || foldBatchNorm || force {
      let others = EmitOption.allCases.filter { $0 != .folder }
      throw ValidationError(
        "\(others.flags) are for packages; name a folder with \(EmitOption.folder.flag)")
    }
  }

  func run() throws {
    guard let output else {
      return Output.print(
        try Netconv.emit(
          path, language: language, architecture: model.architecture,
          replacements: replace.replacements, renames: model.renames,
          graph: model.graph.selection))
    }
    var request = EmitRequest(source: path, destination: output, language: language)
    request.name = name
    request.precision = precision ?? .float16
    request.foldsBatchNormalization = foldBatchNorm
    request.architecture = model.architecture
    request.renames = model.renames
    request.graph = model.graph.selection
    request.replacements = replace.replacements
    request.force = force
    let bar = ProgressBar("converting")
    defer { bar.clear() }
    let report = try Netconv.emitPackage(request, observer: bar.observer(isQuiet: printing.quiet))
    bar.clear()
    guard !printing.quiet else { return }
    Output.print(
      "\(escaped(report.destination)): package \(report.name), \(report.files.count) files")
  }
}

extension EmittedLanguage: ExpressibleByArgument {
  /// The language of that name.
  public init?(argument: String) {
    guard let language = Self.named(argument) else { return nil }
    self = language
  }

  /// The names.
  public static var allValueStrings: [String] { all.map(\.name) }

  /// The names again; shells complete nothing else.
  public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  /// An example, and what it writes.
  fileprivate var usage: String {
    """
      netconv emit ckpt.h5 --language \(name) \(example)

    \(name): \(help)
    """ + (options.isEmpty ? "" : "\nTakes \(options.flags).")
  }

  private var example: String {
    options.contains(.folder) ? "--output Network --name Network" : "> Network.swift"
  }
}

extension EmitOption {
  /// How it is given.
  fileprivate var flag: String {
    switch self {
    case .folder: "--output"
    case .name: "--name"
    case .precision: "--precision"
    case .folding: "--fold-batch-norm"
    case .replacing: "--force"
    }
  }
}

extension [EmitOption] {
  /// `--name, --precision and --force`.
  fileprivate var flags: String {
    dropLast().map(\.flag).joined(separator: ", ") + " and " + suffix(1).map(\.flag).joined()
  }
}
