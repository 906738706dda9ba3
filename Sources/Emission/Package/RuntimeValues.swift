/// The values of the placeholders in files of `Emitted`.
///
/// Placeholders are Swift identifiers, so that the files compile. They have no other use in these
/// files.
struct RuntimeValues {
  /// The value of each placeholder.
  let values: [(word: String, value: String)]

  /// Creates the values for a package named `name` in `language`.
  init(_ name: PackageName, _ language: PackageLanguage) {
    values =
      Self.names(name)
      + [
        ("TARGET", language.target),
        // The oldest systems that a manifest can require.
        ("v10_13", "v\(language.platforms.macOS)"), ("v12", "v\(language.platforms.iOS)"),
        ("MACOS", "\(language.platforms.macOS)"), ("IOS", "\(language.platforms.iOS)"),
      ]
  }

  /// Creates the values for a package named `name` without a network.
  init(_ name: PackageName) {
    values = Self.names(name)
  }

  /// The prefixes of type names.
  ///
  /// The library's own types have none, so they are placeholders too.
  private static func names(_ name: PackageName) -> [(word: String, value: String)] {
    [("NAME", ""), ("BlurTaps", "BlurTaps"), ("SampleTable", "SampleTable")].map {
      ($0.0, name.description + $0.1)
    }
  }
}
