extension OutputFormat {
  /// All tensors as `.npy` files in one archive of NumPy.
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
  /// What stands behind the directory, where NumPy reads nothing: the archive is netconv's.
  public static let comment = Array("netconv".utf8)
}
