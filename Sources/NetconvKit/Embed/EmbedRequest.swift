/// What a build wants of a checkpoint.
public struct EmbedRequest: Sendable {
  /// Anything that netconv reads.
  public var source: String
  /// Where the archive of the weights goes; ends in `.netpack`.
  public var archive: String
  /// Where the code goes that runs the network; a remark goes there if the options name no language, because a build
  /// has to know its files before it knows what is in them.
  public var code: String?
  /// A file with options, `Schemas/embed-options.v1.schema.json`.
  public var options: String?

  /// An archive of `source` at `archive`, without options and code.
  public init(source: String, archive: String) {
    self.source = source
    self.archive = archive
  }
}
