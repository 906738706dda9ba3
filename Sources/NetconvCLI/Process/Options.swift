import ArgumentParser
import ModelIR
import NetconvKit

/// Options that every verb has.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one JSON document instead of text.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print no warnings, no progress and no tables.")
  var quiet = false
}

/// Checks that no path is the empty text, as an unset variable of a shell gives.
///
/// - Throws: `ValidationError` with the name of the argument.
func checkPaths(_ paths: (name: String, path: String?)...) throws {
  for (name, path) in paths where path == "" {
    throw ValidationError("\(name) is empty, expected a path")
  }
}

/// Where the architecture is, for sources that hold only weights.
struct ArchitectureOption: ParsableArguments {
  @Option(
    name: .customLong("model"),
    help: ArgumentHelp(
      "The architecture, for files that hold only weights: the output of model.to_json().",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var architecture: String?
}

extension EngineKind: ExpressibleByArgument {}

extension ElementType: ExpressibleByArgument {
  /// The types that some target takes; sources may hold others.
  public static var allValueStrings: [String] {
    allCases.filter { type in Netconv.targets.contains { $0.elementTypes.contains(type) } }
      .map(\.rawValue)
  }
}

/// Which engine runs a model.
struct EngineOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What runs the model: fast (vectors and all cores) or reference (plain definitions in Double).",
      valueName: "engine"))
  var engine = EngineKind.fast

  @Flag(help: "Say on stderr which layers the fast engine has no kernel for.")
  var verbose = false
}
