/// Something that a file says of itself besides its tensors: a key of its metadata.
public struct SourceFact: Sendable, Equatable {
  /// As the file has it.
  public let key: String
  /// The type of the value, as the format calls it.
  public let type: String
  /// The value; of an array or a long text the beginning.
  public let text: String
}
