import ModelIR

/// A language in which models or filters are emitted.
///
/// Each language is declared in its own folder.
public enum EmittedLanguage: Sendable {
  /// Source text to be compiled into other code.
  case text(TextLanguage)
  /// A package that runs the network.
  case package(PackageLanguage)
  /// A package that filters pictures.
  case filters(FilterLanguage)
  /// Files in a folder that run the network, without a package around them.
  case library(LibraryLanguage)

  /// All languages in the order in which they are listed.
  ///
  /// The first is the default.
  public static let all: [EmittedLanguage] = [
    .dsl,
    .mpscnn,
    .mpsgraph,
    .metal,
    .c,
  ]

  /// The default language.
  public static var standard: EmittedLanguage { all[0] }

  /// The language called `name`, if there is one.
  public static func named(_ name: String) -> EmittedLanguage? { all.first { $0.name == name } }

  /// The name of the language on the command line.
  public var name: String {
    switch self {
    case .text(let language): language.name
    case .package(let language): language.name
    case .filters(let language): language.name
    case .library(let language): language.name
    }
  }

  /// The lines of the description in `--help`.
  public var help: String {
    switch self {
    case .text(let language): language.help
    case .package(let language): language.help
    case .filters(let language): language.help
    case .library(let language): language.help
    }
  }

  /// The options of a request besides the model.
  public var options: [EmitOption] {
    switch self {
    case .text: []
    case .package: [.folder, .name, .precision, .folding, .labels, .goldens, .replacing]
    case .filters: [.folder, .name, .replacing]
    case .library: [.folder, .name, .weights, .length, .goldens, .replacing]
    }
  }

  /// The package language; `nil` for text and filter languages.
  public var package: PackageLanguage? {
    if case .package(let language) = self { language } else { nil }
  }

  /// The library language; `nil` for all others.
  public var library: LibraryLanguage? {
    if case .library(let language) = self { language } else { nil }
  }

  /// The filter language; `nil` for languages of models.
  public var filters: FilterLanguage? {
    if case .filters(let language) = self { language } else { nil }
  }
}

extension EmittedLanguage: Hashable, CustomStringConvertible {
  /// Compares the names.
  public static func == (one: EmittedLanguage, other: EmittedLanguage) -> Bool {
    one.name == other.name
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The name.
  public var description: String { name }
}

/// An option that changes how a model is emitted.
public enum EmitOption: CaseIterable, Sendable {
  /// The destination folder.
  case folder
  /// The name of the module.
  case name
  /// The precision of stored values and of kernels.
  case precision
  /// Folding of normalisations and scales into the preceding kernels.
  case folding
  /// The names of the classes.
  case labels
  /// The form of the weights.
  case weights
  /// The size of axes that the model leaves open.
  case length
  /// The inputs that the self-test replays.
  case goldens
  /// Replacement of an existing destination.
  case replacing
}

/// A language for source text that is compiled into other code.
public struct TextLanguage: Sendable {
  /// The name of the language on the command line.
  public let name: String
  /// The lines of the description in `--help`.
  public let help: String
  /// Returns a model that was read from the file `source` as a function named `function`.
  let write: @Sendable (Model, _ source: String, _ function: String) throws(NetconvError) -> String

  /// Returns a model as source text.
  ///
  /// - Parameters:
  ///   - model: The model as read.
  ///   - source: The name of the source file, for a comment.
  ///   - function: The name of the function, changed where it is not a valid Swift identifier.
  /// - Throws: `badData` with every layer that the language cannot express.
  public func text(
    of model: Model, from source: String, function: String
  ) throws(NetconvError) -> String {
    try write(model, source, function)
  }
}
