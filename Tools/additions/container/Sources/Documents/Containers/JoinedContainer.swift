extension OutputFormat {
  /// All tensors in one file.
  public static let joined = OutputFormat(
    "joined", files: [JoinedContainer.file], support: JoinedContainer.self)
}

/// `model.joined`: the values of all tensors, one after the other.
public enum JoinedContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .joined }
  /// The file in a converted folder.
  public static let file = "model.joined"
}
