/// A checkpoint to embed in a build, and its destination.
public struct EmbedRequest: Sendable {
  /// The path of a model in any format that netconv reads.
  public var source: String
  /// The path of the archive to write for the weights; it ends in `.netpack`.
  public var archive: String
  /// The path of the code to write.
  ///
  /// If the options name no language, the file contains only a remark, because a build has to know its files before
  /// it knows their contents.
  public var code: String?
  /// A file with options, `Schemas/embed-options.v1.schema.json`.
  public var options: String?

  /// Creates a request for an archive of `source` at `archive`, without options and code.
  public init(source: String, archive: String) {
    self.source = source
    self.archive = archive
  }
}
