extension OutputFormat {
  /// All tensors and the manifest in a ZIP archive of stored entries.
  public static let archive = OutputFormat(
    "archive", files: [ArchiveContainer.file], ending: ArchiveContainer.ending, holdsManifest: true,
    statesChecksums: true, support: ArchiveContainer.self)
}

/// `model.netpack`: a ZIP archive of stored, aligned tensors, with the manifest as its last entry.
public enum ArchiveContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .archive }
  /// The file in a converted folder.
  public static let file = "model.netpack"
  /// The extension of archives.
  public static let ending = ".netpack"
}
