import ArgumentParser
import ModelIR
import NetconvKit

/// The command `netconv emit`.
struct EmitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emit",
    abstract: "Writes a network, or image filters, as source code.",
    discussion: """
      PATH is a network in any format that netconv reads; filters need none.

      \(EmittedLanguage.all.map(\.usage).joined(separator: "\n\n"))
      """)

  @Argument(help: "The network to write as source code.", completion: .file())
  var path: String?

  @Option(help: ArgumentHelp("The language of the code.", valueName: "language"))
  var language = EmittedLanguage.standard

  @Option(
    name: .customLong("filter"),
    help: ArgumentHelp(
      "A filter to write, such as blur=2.5, if the language is for filters. May be repeated.",
      valueName: "filter"))
  var filters: [String] = []

  @OptionGroup(title: "The package")
  var package: PackageOptions

  @OptionGroup(title: OptionTitle.goldens)
  var goldens: GoldensOptions

  @OptionGroup(title: OptionTitle.reading)
  var model: ArchitectureOption

  @OptionGroup(title: OptionTitle.reading)
  var replace: ReplaceOption

  @OptionGroup var printing: QuietOption

  func validate() throws {
    try checkPaths(
      ("PATH", path), ("--model", model.path), ("--rename", model.renames),
      ("--output", package.output), ("--labels", package.labels))
    try model.checkConvention()
    try checkOptions()
    if language.filters == nil {
      guard path != nil else { throw ValidationError("Missing expected argument '<path>'") }
      guard filters.isEmpty else {
        throw ValidationError("\(language.name) is a language for networks; leave out --filter")
      }
    } else {
      try checkFilters()
    }
    if package.output == nil, package.isAsked || goldens.request != nil {
      let others = EmitOption.allCases.filter { ![.folder, .weights, .length].contains($0) }
      throw ValidationError(
        "\(others.flags) are for packages; name a folder with --output")
    }
  }

  /// Checks that no options of other languages are passed.
  private func checkOptions() throws {
    let foreign =
      language.library == nil
      ? [("--weights", package.weights != nil), ("--length", package.length != nil)]
      : [
        ("--precision", package.precision != nil),
        ("--fold-batch-norm", package.foldBatchNorm != nil), ("--labels", package.labels != nil),
      ]
    if let other = foreign.first(where: \.1) {
      throw ValidationError("\(other.0) is not for \(language.name); leave it out")
    }
    if let length = package.length, !(1...1_000_000).contains(length) {
      throw ValidationError("--length \(length) is not a number from 1 to 1000000")
    }
    if language.library != nil, package.output == nil {
      throw ValidationError("\(language.name) is several files; name their folder with --output")
    }
  }

  /// Checks that no options of networks are passed for a filter language.
  private func checkFilters() throws {
    guard path == nil else {
      throw ValidationError("\(language.name) is a language for filters; leave out PATH")
    }
    let others =
      model.given + [
        ("--precision", package.precision != nil),
        ("--fold-batch-norm", package.foldBatchNorm != nil), ("--labels", package.labels != nil),
        ("--replace", !replace.replacements.isEmpty),
        ("--goldens", goldens.goldens != nil), ("--golden-inputs", goldens.goldenInputs != nil),
      ]
    if let other = others.first(where: \.isThere) {
      throw ValidationError(
        "\(other.name) is for networks; \(language.name) is a language for filters")
    }
    guard package.output != nil else {
      throw ValidationError(
        "\(language.name) is written as a package; name its folder with --output")
    }
  }

  func run() throws {
    guard let path else { return try emitFilters() }
    if language.library != nil { return try emitLibrary(path) }
    guard let output = package.output else {
      let bar = ProgressBar("reading")
      let text = try Netconv.emit(
        path, language: language, architecture: model.architecture,
        replacements: replace.replacements, renames: model.renames, graph: model.graph.selection,
        observer: bar.observer(isQuiet: printing.quiet))
      return Output.print(text)
    }
    var request = EmitRequest(source: path, destination: output, language: language)
    request.name = package.name
    request.precision = package.precision ?? .float16
    request.foldsBatchNormalization = package.foldBatchNorm ?? true
    request.options = model.source
    request.replacements = replace.replacements
    request.labels = package.labels
    if let goldens = goldens.request { request.goldens = goldens }
    request.force = package.force
    let bar = ProgressBar("converting")
    defer { bar.clear() }
    let report = try Netconv.emitPackage(request, observer: bar.observer(isQuiet: printing.quiet))
    bar.clear()
    guard !printing.quiet else { return }
    let folder = escaped(report.destination)
    let folded = report.conversion.folded?.layers.count ?? 0
    Output.print(
      """
      \(folder): package \(report.name), \(report.files.count) files\(Self.remark(folded: folded))
      to verify it on a Mac: cd \(folder) && swift run -c release \(report.name)SelfTest
      to use it in an app: add the folder as a package in Xcode; \(folder)/README.md says how
      """)
  }
}

extension EmitCommand {
  /// The note on folded normalisations; empty if there are none.
  private static func remark(folded: Int) -> String {
    guard folded > 0 else { return "" }
    let layers = folded == 1 ? "1 layer is" : "\(folded) layers are"
    return
      "\n\(layers) folded into the kernels before them; --no-fold-batch-norm keeps them separate"
  }

  private func emitLibrary(_ path: String) throws {
    var request = EmitLibraryRequest(
      source: path, destination: package.output ?? "", language: language)
    request.name = package.name
    request.weights = package.weights
    request.length = package.length
    request.options = model.source
    request.replacements = replace.replacements
    if let goldens = goldens.request { request.goldens = goldens }
    request.force = package.force
    let bar = ProgressBar("converting")
    defer { bar.clear() }
    let report = try Netconv.emitLibrary(request, observer: bar.observer(isQuiet: printing.quiet))
    bar.clear()
    guard !printing.quiet else { return }
    let folder = escaped(report.destination)
    Output.print(
      """
      \(folder): \(report.name), \(report.files.count) files; \(report.parameterCount) parameters, an arena of \
      \(report.arenaCount) floats
      to verify it: make -C \(folder) test
      """)
  }

  private func emitFilters() throws {
    var request = EmitFiltersRequest(
      filters: filters, destination: package.output ?? "", language: language)
    request.name = package.name
    request.force = package.force
    let report = try Netconv.emitFilters(request)
    guard !printing.quiet else { return }
    Output.print(
      "\(escaped(report.destination)): package \(report.name), \(report.files.count) files")
  }
}

extension EmittedLanguage: ExpressibleByArgument {
  /// Creates a language from its name.
  public init?(argument: String) {
    guard let language = Self.named(argument) else { return nil }
    self = language
  }

  /// The names of all languages.
  public static var allValueStrings: [String] { all.map(\.name) }

  /// The completions: the names of all languages.
  public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  /// The usage: an example, and a description of its output.
  fileprivate var usage: String {
    """
      netconv emit \(filters == nil ? "ckpt.h5 " : "")--language \(name) \(example)

    \(name): \(help)
    """ + (options.isEmpty ? "" : "\nTakes \(options.flags).")
  }

  private var example: String {
    if library != nil { return "--output c --name digits" }
    if filters != nil { return "--filter saturation=0.5 --filter blur=2.5 --output Look" }
    return options.contains(.folder) ? "--output Digits --name Digits" : "> Digits.swift"
  }
}

extension EmitOption {
  /// The flags of the option.
  fileprivate var flags: [String] {
    switch self {
    case .folder: ["--output"]
    case .name: ["--name"]
    case .precision: ["--precision"]
    case .folding: ["--fold-batch-norm"]
    case .labels: ["--labels"]
    case .goldens: ["--goldens", "--golden-inputs"]
    case .weights: ["--weights"]
    case .length: ["--length"]
    case .replacing: ["--force"]
    }
  }
}

extension [EmitOption] {
  /// A list in words: `--name, --precision and --force`.
  fileprivate var flags: String {
    let flags = flatMap(\.flags)
    return flags.dropLast().joined(separator: ", ") + " and " + flags.suffix(1).joined()
  }
}
