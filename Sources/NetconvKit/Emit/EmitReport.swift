/// A package that was written.
public struct EmitReport: Sendable {
  /// The folder, as it was named.
  public let destination: String
  /// What the module is called.
  public let name: String
  /// The files of the package, from the folder on.
  public let files: [String]
  /// The weights.
  public let conversion: ConvertReport
}
