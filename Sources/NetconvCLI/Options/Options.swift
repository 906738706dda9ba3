import ArgumentParser
import ModelIR
import NetconvKit

/// The values of `--convention`, for completion.
private let conventionNames = ["torch", "mlx", "tensorflow", "keras"]

/// Section titles of the help that several commands share.
enum OptionTitle {
  static let reading = "Reading the source"
  static let readingBoth = "Reading both, where applicable"
  static let pixels = "Pixels"
  static let engine = "Engine"
  static let goldens = "Goldens"
  static let output = "Output"
}

/// The output options of all commands with a report.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one JSON document instead of text.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print no warnings, no progress and no tables.")
  var quiet = false

  @Flag(help: "Do not shorten names in tables, however narrow the terminal is.")
  var wide = false

  func validate() throws {
    if wide { Output.cutsNames.withLock { $0 = false } }
  }
}

/// The option `--quiet` for commands without a report.
struct QuietOption: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print no warnings, no progress and no summary.")
  var quiet = false
}

/// Checks that `--verbose` and `--quiet` are not combined.
func checkVerbosity(_ isVerbose: Bool, quiet: Bool) throws {
  if isVerbose, quiet {
    throw ValidationError("--verbose and --quiet contradict each other; pass one")
  }
}

/// Checks that an option is not passed without another option that it requires.
///
/// - Parameters:
///   - options: The options, and whether each is given.
///   - isUsed: True if the required option is given.
///   - wanted: The required option.
func check(_ options: [(name: String, isThere: Bool)], needs wanted: String, _ isUsed: Bool) throws
{
  guard !isUsed, let option = options.first(where: \.isThere) else { return }
  throw ValidationError("\(option.name) needs \(wanted)")
}

/// Checks that no path is empty, as with an unset shell variable.
///
/// - Throws: `ValidationError` with the name of the argument.
func checkPaths(_ paths: (name: String, path: String?)...) throws {
  for (name, path) in paths where path == "" {
    throw ValidationError("\(name) is empty, expected a path")
  }
}

/// The architecture for a source that contains only weights.
struct ArchitectureOption: ParsableArguments {
  @Option(
    name: .customLong("model"),
    help: ArgumentHelp(
      """
      The architecture, for files that hold only weights: a model.json, the output of model.to_json(), \
      or a Keras file with the model.
      """, valueName: "file"),
    completion: .file(extensions: ["json", "h5", "keras"]))
  var path: String?

  @Option(
    name: .customLong("bind"),
    help: ArgumentHelp(
      """
      A rule from tensors to parameters of --model: features.{n}.weight=conv{#}.kernel, where {n} is \
      the same text on both sides and {#} counts the matches; can be repeated.
      """, valueName: "rule"))
  var bindings: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      The framework whose names and layouts the tensors for --model have, or in relate and convert --weights-only weights \
      without a graph: torch, mlx, tensorflow or keras. \
      (default: what the file tells)
      """, valueName: "name"),
    completion: .list(conventionNames))
  var convention: String?

  @Option(
    name: .customLong("rename"),
    help: ArgumentHelp(
      """
      Another name for a layer, OLD=NEW, or a substitution in all names as in sed, 's/PATTERN/REPLACEMENT/'; both can \
      be repeated. Or a file with names for the variables of a TensorFlow checkpoint or graph: a JSON object such as \
      {"Variable": "conv1/kernel"}.
      """, valueName: "old=new|s/…/…/|file"),
    completion: .file(extensions: ["json"]))
  var allRenames: [String] = []

  @OptionGroup private var graphOptions: GraphOptions

  func validate() throws {
    try check([("--bind", !bindings.isEmpty)], needs: "--model FILE", path != nil)
    var layers: Set<String> = []
    for rename in layerRenames {
      guard !rename.old.isEmpty, !rename.new.isEmpty else {
        throw ValidationError(
          "--rename \(quoted("\(rename.old)=\(rename.new)")) has an empty name; expected OLD=NEW")
      }
      guard layers.insert(rename.old).inserted else {
        throw ValidationError("--rename names the layer \(quoted(rename.old)) twice")
      }
    }
    guard allRenames.count(where: Self.isFile) <= 1 else {
      throw ValidationError("--rename accepts one file; write OLD=NEW for further layers")
    }
    for text in allRenames where NameSubstitution.isSubstitution(text) {
      do {
        _ = try NameSubstitution(text)
      } catch {
        throw ValidationError("--rename: \(error.message)")
      }
    }
  }

  /// The file with variable names.
  var renames: String? { allRenames.first(where: Self.isFile) }

  private var layerRenames: [(old: String, new: String)] {
    allRenames.filter(Self.isOfLayer).map { text in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), String(parts[1]))
    }
  }

  /// True for `OLD=NEW`; a file name may also contain the sign.
  private static func isOfLayer(_ text: String) -> Bool {
    text.contains("=") && !text.hasSuffix(".json") && !NameSubstitution.isSubstitution(text)
  }

  private static func isFile(_ text: String) -> Bool {
    !isOfLayer(text) && !NameSubstitution.isSubstitution(text)
  }

  /// The selected part of the graph and the new names of its layers.
  var graph: (selection: GraphSelection, inputs: [String], outputs: [String], entry: String?) {
    var selection = graphOptions.selection
    selection.layerNames = Dictionary(
      layerRenames.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first })
    selection.substitutions = allRenames.filter(NameSubstitution.isSubstitution)
      .compactMap { try? NameSubstitution($0) }
    return (selection, graphOptions.inputs, graphOptions.outputs, graphOptions.entry)
  }

  /// The options, and whether each is given, for commands that do not always accept them.
  var given: [(name: String, isThere: Bool)] {
    [
      ("--model", path != nil), ("--bind", !bindings.isEmpty), ("--convention", convention != nil),
      ("--rename", !allRenames.isEmpty), ("--graph-input", !graph.inputs.isEmpty),
      ("--graph-output", !graph.outputs.isEmpty), ("--entry", graph.entry != nil),
      ("--raw", graphOptions.raw),
    ]
  }

  /// Checks that `--convention` is passed only with weights to bind.
  ///
  /// - Parameter takesWeights: True if it also applies to weights without a graph; `nil` if the
  ///   command never accepts these.
  func checkConvention(takesWeights: Bool? = nil) throws {
    try check(
      [("--convention", convention != nil)],
      needs: takesWeights == nil ? "--model FILE" : "--model FILE or --weights-only",
      path != nil || takesWeights == true)
  }

  /// The convention for weights without a graph, if given.
  var conventionOfWeights: String? { path == nil ? convention : nil }

  /// The architecture of the options; `nil` without `--model`.
  var architecture: Architecture? {
    path.map { Architecture($0, bindings: bindings, convention: convention) }
  }

  /// The options in the library's form.
  var source: SourceOptions {
    SourceOptions(architecture: architecture, renames: renames, graph: graph.selection)
  }
}

/// A side of a comparison whose source may need its own options.
protocol OptionSide {
  /// The prefix of the options.
  static var prefix: String { get }
  /// The name of the source in the help.
  static var name: String { get }
}

/// The reference of a comparison.
enum AgainstSide: OptionSide {
  static let prefix = "against"
  static let name = "the SOURCE of --against"
}

/// The second of two sources.
enum SecondSide: OptionSide {
  static let prefix = "b"
  static let name = "B"
}

/// The options of one source that differ from the other's.
///
/// Options without a prefix apply to both sources where possible. Options with a prefix override
/// them.
struct SideOptions<Side: OptionSide>: ParsableArguments {
  @Option(
    name: .customLong("\(Side.prefix)-model"),
    help: ArgumentHelp(
      "--model for \(Side.name), if it differs.", valueName: "file"),
    completion: .file(extensions: ["json", "h5", "keras"]))
  var path: String?

  @Option(
    name: .customLong("\(Side.prefix)-bind"),
    help: ArgumentHelp("--bind for --\(Side.prefix)-model; can be repeated.", valueName: "rule"))
  var bindings: [String] = []

  @Option(
    name: .customLong("\(Side.prefix)-convention"),
    help: ArgumentHelp("--convention for --\(Side.prefix)-model.", valueName: "name"),
    completion: .list(conventionNames))
  var convention: String?

  @Option(
    name: .customLong("\(Side.prefix)-rename"),
    help: ArgumentHelp("--rename for \(Side.name).", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var renames: String?

  @Option(
    name: .customLong("\(Side.prefix)-graph-input"),
    help: ArgumentHelp("--graph-input for \(Side.name); can be repeated.", valueName: "name"))
  var inputs: [String] = []

  @Option(
    name: .customLong("\(Side.prefix)-graph-output"),
    help: ArgumentHelp("--graph-output for \(Side.name); can be repeated.", valueName: "name"))
  var outputs: [String] = []

  @Option(
    name: .customLong("\(Side.prefix)-entry"),
    help: ArgumentHelp("--entry for \(Side.name).", valueName: "name"))
  var entry: String?

  func validate() throws {
    try check(
      [
        ("--\(Side.prefix)-bind", !bindings.isEmpty),
        ("--\(Side.prefix)-convention", convention != nil),
      ], needs: "--\(Side.prefix)-model FILE", path != nil)
    try checkPaths(("--\(Side.prefix)-model", path), ("--\(Side.prefix)-rename", renames))
  }

  /// The options, and whether each is given.
  var given: [(name: String, isThere: Bool)] {
    [
      ("--\(Side.prefix)-model", path != nil), ("--\(Side.prefix)-rename", renames != nil),
      ("--\(Side.prefix)-graph-input", !inputs.isEmpty),
      ("--\(Side.prefix)-graph-output", !outputs.isEmpty),
      ("--\(Side.prefix)-entry", entry != nil),
    ]
  }

  /// The options in the library's form.
  var source: SourceOptions {
    SourceOptions(
      architecture: path.map { Architecture($0, bindings: bindings, convention: convention) },
      renames: renames,
      graph: GraphSelection(inputs: inputs, outputs: outputs, entry: entry))
  }
}

/// The selected part of a graph.
struct GraphOptions: ParsableArguments {
  @Option(
    name: .customLong("graph-input"),
    help: ArgumentHelp(
      """
      An input node of a TensorFlow or ONNX graph, with a shape if it states none: x=?x28x28x1; can be \
      repeated.
      """,
      valueName: "name"))
  var inputs: [String] = []

  @Option(
    name: .customLong("graph-output"),
    help: ArgumentHelp(
      "An output node of a TensorFlow or ONNX graph; can be repeated.", valueName: "name")
  )
  var outputs: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      The part of a PyTorch file that holds the weights, if there are several: model, ema, \
      models.generator; a dot for the whole file. For a Neural Amp Modeler container, the size of the network. \
      (default: the only one, or the largest of a container)
      """, valueName: "name"))
  var entry: String?

  @Flag(
    help:
      "Read quantised weights as the codes and scales that are stored, not as their values."
  )
  var raw = false

  /// The options in the library's form.
  var selection: GraphSelection {
    GraphSelection(inputs: inputs, outputs: outputs, entry: entry, readsCodes: raw)
  }
}

extension CompletionKind {
  /// The names of the targets.
  static var targets: CompletionKind { .list(Netconv.targets.map(\.name)) }
}

/// The list of targets for the help: `mps, mpsgraph, …`.
var targetNames: String { Netconv.targets.map(\.name).joined(separator: ", ") }

extension EngineKind: ExpressibleByArgument {}

extension Precision: ExpressibleByArgument {}

extension Metric: ExpressibleByArgument {}

extension OutputAxes: ExpressibleByArgument {}

extension ElementType: ExpressibleByArgument {
  /// The dtypes that some target accepts; sources may contain others.
  public static var allValueStrings: [String] {
    allCases.filter { type in Netconv.targets.contains { $0.elementTypes.contains(type) } }
      .map(\.rawValue)
  }
}

/// The choice of the engine.
struct EngineOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The engine: fast (vector instructions, all cores) or reference (plain definitions in Double).",
      valueName: "engine"))
  var engine = EngineKind.fast

  @Option(
    help: ArgumentHelp(
      "The precision of values: float32, or float16 as Metal stores half images (Docs/precision.md).",
      valueName: "type"))
  var precision = Precision.float32

  @Flag(help: "List on stderr the layers that the fast engine has no kernel for.")
  var verbose = false
}
