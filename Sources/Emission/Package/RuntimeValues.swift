/// What stands in a package where files in `Emitted` have placeholders.
///
/// Placeholders are words of Swift that compile, and stand for nothing else in these files.
struct RuntimeValues {
  /// The value of each placeholder.
  let values: [(word: String, value: String)]

  /// The values of a package called `name` in `language`.
  init(_ name: PackageName, _ language: PackageLanguage) {
    values =
      Self.names(name)
      + [
        ("TARGET", language.target),
        // The oldest systems that a manifest can ask for.
        ("v10_13", "v\(language.platforms.macOS)"), ("v12", "v\(language.platforms.iOS)"),
        ("MACOS", "\(language.platforms.macOS)"), ("IOS", "\(language.platforms.iOS)"),
      ]
  }

  /// The values of a package called `name` that runs no network.
  init(_ name: PackageName) {
    values = Self.names(name)
  }

  /// What the names of types begin with; the library's own have nothing in front.
  private static func names(_ name: PackageName) -> [(word: String, value: String)] {
    [("NAME", ""), ("BlurTaps", "BlurTaps"), ("SampleTable", "SampleTable")].map {
      ($0.0, name.description + $0.1)
    }
  }
}
