import ModelIR

/// A language that models, or filters, are written in.
///
/// One folder for each, which declares it.
public enum EmittedLanguage: Sendable {
  /// A text that other code is built with.
  case text(TextLanguage)
  /// A package that runs the network.
  case package(PackageLanguage)
  /// A package that changes pictures.
  case filters(FilterLanguage)

  /// Every language, in the order in which they are listed; the first is written unless another is named.
  public static let all: [EmittedLanguage] = [
    .dsl,
    .mpscnn,
    .mpsgraph,
    .metal,
  ]

  /// What is written unless another language is named.
  public static var standard: EmittedLanguage { all[0] }

  /// The language called `name`, if there is one.
  public static func named(_ name: String) -> EmittedLanguage? { all.first { $0.name == name } }

  /// What users call it.
  public var name: String {
    switch self {
    case .text(let language): language.name
    case .package(let language): language.name
    case .filters(let language): language.name
    }
  }

  /// What is written in it, for `--help`: lines of a sentence.
  public var help: String {
    switch self {
    case .text(let language): language.help
    case .package(let language): language.help
    case .filters(let language): language.help
    }
  }

  /// What a request can say besides the model.
  public var options: [EmitOption] {
    switch self {
    case .text: []
    case .package: EmitOption.allCases
    case .filters: [.folder, .name, .replacing]
    }
  }

  /// The language as one of packages; `nil` for one of texts.
  public var package: PackageLanguage? {
    if case .package(let language) = self { language } else { nil }
  }

  /// The language as one of filters; `nil` for one of models.
  public var filters: FilterLanguage? {
    if case .filters(let language) = self { language } else { nil }
  }
}

extension EmittedLanguage: Hashable, CustomStringConvertible {
  /// Whether they have the same name.
  public static func == (one: EmittedLanguage, other: EmittedLanguage) -> Bool {
    one.name == other.name
  }

  /// Of the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The name.
  public var description: String { name }
}

/// What a request can say of the way in which a model is written.
public enum EmitOption: CaseIterable, Sendable {
  /// The folder that it is written to.
  case folder
  /// What the module is called.
  case name
  /// How values and kernels are stored.
  case precision
  /// Whether normalisations and scales go into the kernels before them.
  case folding
  /// What the classes are called.
  case labels
  /// Which inputs its self-test replays.
  case goldens
  /// Whether an earlier one is replaced.
  case replacing
}

/// A language whose texts other code is built with.
public struct TextLanguage: Sendable {
  /// What users call it.
  public let name: String
  /// What is written in it, for `--help`: lines of a sentence.
  public let help: String
  /// The text of a model that was read from the file `source`, as a function called like `function`.
  let write: @Sendable (Model, _ source: String, _ function: String) throws(NetconvError) -> String

  /// Writes a model.
  ///
  /// - Parameters:
  ///   - model: as it was read.
  ///   - source: the name of the file that it was read from, for a comment.
  ///   - function: what the function is called, as far as Swift allows it.
  /// - Throws: `badData` with every layer that the language has no word for.
  public func text(
    of model: Model, from source: String, function: String
  ) throws(NetconvError) -> String {
    try write(model, source, function)
  }
}
