extension OutputFormat {
  /// One file of raw values per tensor.
  public static let bin = OutputFormat(
    "bin", files: [BinContainer.folder + "/"], support: BinContainer.self)
}

/// `weights/NAME.bin`: the values of one tensor, little-endian, in C order, and nothing else.
public enum BinContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .bin }
  /// The folder of all its files.
  public static let folder = "weights"

  /// The path of the file of a tensor; archives call its entry so too.
  ///
  /// - Parameter name: the tensor's, fit for a file.
  public static func file(named name: String) -> String { "\(folder)/\(name).bin" }
}
