import Documents

extension Destination {
  /// The extensions of containers that can stand alone.
  public static var containerSuffixes: [String] { OutputFormat.allCases.compactMap(\.ending) }

  /// Returns the container for an output at `path` by its extension, regardless of case; `nil` if the output is a
  /// folder.
  public static func container(of path: String) -> OutputFormat? {
    let name = path.lowercased()
    return OutputFormat.allCases.first { $0.ending.map(name.hasSuffix) ?? false }
  }
}
