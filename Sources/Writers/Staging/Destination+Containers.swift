import Documents

extension Destination {
  /// What the names of containers end in that can stand alone.
  public static var containerSuffixes: [String] { OutputFormat.allCases.compactMap(\.ending) }

  /// The container that is all of an output at `path`, whose ending may be in capitals; `nil` if the output is a folder.
  public static func container(of path: String) -> OutputFormat? {
    let name = path.lowercased()
    return OutputFormat.allCases.first { $0.ending.map(name.hasSuffix) ?? false }
  }
}
