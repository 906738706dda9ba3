import Documents

extension Destination {
  /// The containers that can stand alone, by what their names end in.
  private static let containers: [(suffix: String, format: OutputFormat)] = [
    (".netpack", .archive), (".safetensors", .safetensors), (".npz", .npz),
  ]

  /// What the names of archives end in.
  public static let archiveSuffix = ".netpack"

  /// What the names of containers end in that can stand alone.
  public static var containerSuffixes: [String] { containers.map(\.suffix) }

  /// The container that is all of an output at `path`; `nil` if the output is a folder.
  public static func container(of path: String) -> OutputFormat? {
    containers.first { path.hasSuffix($0.suffix) }?.format
  }
}

extension OutputFormat {
  /// The file that the format is; `nil` if it is several.
  var fileName: String? {
    switch self {
    case .archive: Manifest.archiveName
    case .safetensors: Manifest.safetensorsName
    case .npz: Manifest.npzName
    case .bin, .c: nil
    }
  }
}
