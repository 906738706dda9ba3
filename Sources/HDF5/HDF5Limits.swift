/// What a file may ask of this machine's memory before it is refused.
///
/// Far above any checkpoint, far below what would bring a machine down.
public enum HDF5Limits {
  /// Objects (groups, datasets, named types) and links and attributes, each.
  public static let objectCount = 1_000_000
  /// Groups inside groups.
  public static let depth = 256
  /// Bytes that all attributes of a file take in memory.
  public static let attributeByteCount = 256 << 20
  /// Bytes that all names, paths and targets of links take in memory.
  public static let nameByteCount = 256 << 20
  /// Objects of the global heap that are met on the way to the texts of attributes.
  public static let heapObjectCount = 16 << 20
  /// Dimensions of a dataset or an attribute; the format's own limit.
  public static let rank = 32
  /// Soft links followed by one lookup.
  public static let softLinkCount = 32
}
