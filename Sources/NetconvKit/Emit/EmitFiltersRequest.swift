/// Which filters are to be written as a package, and where.
public struct EmitFiltersRequest: Sendable {
  /// The filters, as text (`blur=2.5`), in the order in which they are done.
  public var filters: [String]
  /// The folder of the package.
  public var destination: String
  /// The language; one that filters are written in.
  public var language: EmittedLanguage
  /// What the module is called; by default what the folder is.
  public var name: String?
  /// Whether an earlier package may be replaced.
  public var force = false

  /// A package of `filters` in the folder `destination`.
  public init(filters: [String], destination: String, language: EmittedLanguage) {
    self.filters = filters
    self.destination = destination
    self.language = language
  }
}

/// A package of filters that was written.
public struct EmitFiltersReport: Sendable {
  /// The folder, as it was named.
  public let destination: String
  /// What the module is called.
  public let name: String
  /// The files of the package, from the folder on.
  public let files: [String]
}
