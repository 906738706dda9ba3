/// Limits on the memory that reading a file may require.
///
/// They are well above the needs of any checkpoint, and well below the capacity of any machine.
public enum HDF5Limits {
  /// The maximum number of objects (groups, datasets, named types), of links, and of attributes.
  public static let objectCount = 1_000_000
  /// The maximum nesting depth of groups.
  public static let depth = 256
  /// The maximum total size of all attributes in memory, in bytes.
  public static let attributeByteCount = 256 << 20
  /// The maximum total size of all names, paths and link targets in memory, in bytes.
  public static let nameByteCount = 256 << 20
  /// The maximum number of global heap objects read for string attributes.
  public static let heapObjectCount = 16 << 20
  /// The maximum rank of a dataset or an attribute; the format's own limit.
  public static let rank = 32
  /// The maximum number of soft links followed per lookup.
  public static let softLinkCount = 32
}
