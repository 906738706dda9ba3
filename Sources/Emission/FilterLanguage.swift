import ModelIR

/// A language that filters are written in, as a package that changes pictures.
public struct FilterLanguage: Sendable {
  /// What users call it.
  public let name: String
  /// What is written in it, for `--help`: lines of a sentence.
  public let help: String
  /// The types of others that its code uses, and names of types inside of its own.
  let types: Set<String>
  /// What the names of its own types have behind the package's.
  let suffixes: Set<String>
  /// The files that packages have whatever the filters are, by their paths.
  let files: @Sendable (_ name: String) -> [(path: String, source: RuntimeSource)]
  /// The text of a class with the filters.
  let chain: @Sendable ([PixelStep], PackageName) -> String
}

/// Filters as a Swift package.
public struct EmittedFilters: Sendable {
  /// The source text.
  public let files: [EmittedFile]
  /// What the module is called.
  public let name: String

  /// A package called `name`.
  ///
  /// - Throws: `usage` if `name` cannot be a module's, or a filter is for other pictures than textures.
  public init(
    _ steps: [PixelStep], in language: FilterLanguage, name: String
  ) throws(NetconvError) {
    guard !steps.isEmpty else { throw .noFilters(language.name) }
    try Self.check(steps)
    let packageName = try PackageName(name, for: language)
    let values = RuntimeValues(packageName)
    let pieces = RuntimePieces(MetalPiece.ofFilterPackages)
    self.name = name
    let chain = EmittedFile(
      path: Self.chainPath(name), text: language.chain(steps, packageName) + "\n")
    files =
      ([chain]
      + language.files(name).map { path, source in
        EmittedFile(path: path, text: source.text(with: pieces, values))
      }).sorted { $0.path < $1.path }
  }

  /// Every path that a package of this name has.
  public static func paths(_ language: FilterLanguage, name: String) -> [String] {
    [chainPath(name)] + language.files(name).map(\.path)
  }

  private static func chainPath(_ name: String) -> String { "Sources/\(name)/\(name).swift" }

  /// Checks what can be known of a picture before there is one: a texture has three colours and alpha.
  private static func check(_ steps: [PixelStep]) throws(NetconvError) {
    var colors = 3
    for step in steps {
      try step.check()
      switch step.whole {
      case .axes: throw .filterOfAxes(step)
      case .scale(let numbers), .offset(let numbers), .mean(let numbers), .deviation(let numbers),
        .opaque(let numbers?), .pad(_, let numbers), .fit(_, let numbers):
        guard numbers.count == 1 || numbers.count == colors else {
          throw .numbersOfFilter(step, numbers.count, colors: colors)
        }
      case .gray: colors = 1
      case .color: colors = 3
      default: break
      }
    }
  }
}

extension PixelStep {
  /// The step as it would be without a region.
  fileprivate var whole: PixelStep { if case .region(_, let step) = self { step } else { self } }
}
