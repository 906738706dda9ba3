extension OutputFormat {
  /// One file of raw values per tensor.
  public static let bin = OutputFormat(
    "bin", files: [BinContainer.folder + "/"], support: BinContainer.self)
}

/// `weights/NAME.bin`: the values of one tensor, little-endian, in C order, and nothing else; files may have another
/// ending, or none.
public enum BinContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .bin }
  /// The folder of all its files.
  public static let folder = "weights"

  /// What files end in, if nothing else is asked for.
  public static let ending = ".bin"

  /// The path of the file of a tensor; archives call its entry so too, always with the usual ending.
  ///
  /// - Parameters:
  ///   - name: the tensor's, fit for a file.
  ///   - ending: with its dot.
  public static func file(named name: String, ending: String = ending) -> String {
    "\(folder)/\(name)\(ending)"
  }
}
