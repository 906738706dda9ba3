/// Filters to write as a package, and its destination.
public struct EmitFiltersRequest: Sendable {
  /// The filters, as text (`blur=2.5`), in the order of application.
  public var filters: [String]
  /// The folder of the package.
  public var destination: String
  /// The language, which must be one for filters.
  public var language: EmittedLanguage
  /// The name of the module; by default that of the folder.
  public var name: String?
  /// True if an earlier package may be replaced.
  public var force = false

  /// Creates a request for a package of `filters` in the folder `destination`.
  public init(filters: [String], destination: String, language: EmittedLanguage) {
    self.filters = filters
    self.destination = destination
    self.language = language
  }
}

/// A package of filters that was written.
public struct EmitFiltersReport: Sendable {
  /// The folder, as given by the caller.
  public let destination: String
  /// The name of the module.
  public let name: String
  /// The files of the package, relative to the folder.
  public let files: [String]
}
