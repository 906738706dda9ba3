extension OutputFormat {
  /// One file of raw values per tensor.
  public static let bin = OutputFormat(
    "bin", files: [BinContainer.folder + "/"], support: BinContainer.self)
}

/// `weights/NAME.bin`: the values of one tensor, little endian, in row-major order.
///
/// Files may have another extension, or none.
public enum BinContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .bin }
  /// The folder of all files.
  public static let folder = "weights"

  /// The default extension of the files.
  public static let ending = ".bin"

  /// Returns the path of a tensor's file; archives use it for the entry, always with the default extension.
  ///
  /// - Parameters:
  ///   - name: the tensor's name, valid as a file name.
  ///   - ending: the extension, including the dot.
  public static func file(named name: String, ending: String = ending) -> String {
    "\(folder)/\(name)\(ending)"
  }
}
