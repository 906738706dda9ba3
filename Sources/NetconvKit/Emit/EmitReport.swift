/// A package that was written.
public struct EmitReport: Sendable {
  /// The folder, as given by the caller.
  public let destination: String
  /// The name of the module.
  public let name: String
  /// The files of the package, relative to the folder.
  public let files: [String]
  /// The conversion of the weights.
  public let conversion: ConvertReport
}
