extension OutputFormat {
  /// All tensors as `.npy` files in a NumPy archive.
  public static let npz = OutputFormat(
    "npz", files: [NpzContainer.file], ending: ".npz", statesChecksums: true,
    unsupportedTypes: [.bfloat16], support: NpzContainer.self)
}

/// `model.npz`: a ZIP archive of stored `.npy` files.
public enum NpzContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .npz }
  /// The file in a converted folder.
  public static let file = "model.npz"
  /// The comment after the directory, which NumPy ignores: it marks the archive as netconv's.
  public static let comment = Array("netconv".utf8)
}
