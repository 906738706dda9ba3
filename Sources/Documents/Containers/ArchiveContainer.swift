extension OutputFormat {
  /// All tensors and the manifest in one ZIP archive of stored entries.
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
  /// What the name of an archive ends in.
  public static let ending = ".netpack"
}
