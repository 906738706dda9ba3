import ModelIR

/// A language for packages that filter pictures.
public struct FilterLanguage: Sendable {
  /// The name of the language on the command line.
  public let name: String
  /// The lines of the description in `--help`.
  public let help: String
  /// The external types that the code uses, and the names of types nested in its own.
  let types: Set<String>
  /// The suffixes of its type names after the package's name.
  let suffixes: Set<String>
  /// The files that every package has, with their paths.
  let files: @Sendable (_ name: String) -> [(path: String, source: RuntimeSource)]
  /// Returns the source text of a class with the filters.
  let chain: @Sendable ([PixelStep], PackageName) -> String
}

/// Filters as a Swift package.
public struct EmittedFilters: Sendable {
  /// The files of the package.
  public let files: [EmittedFile]
  /// The name of the module.
  public let name: String

  /// Creates a package named `name`.
  ///
  /// - Throws: `usage` if `name` is not a valid module name, or if a filter does not apply to
  ///   textures.
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

  /// The paths of all files in a package of this name.
  public static func paths(_ language: FilterLanguage, name: String) -> [String] {
    [chainPath(name)] + language.files(name).map(\.path)
  }

  private static func chainPath(_ name: String) -> String { "Sources/\(name)/\(name).swift" }

  /// Checks the filters for textures, which have three colours and alpha.
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
  /// The step without its region.
  fileprivate var whole: PixelStep { if case .region(_, let step) = self { step } else { self } }
}
