import ModelIR

/// What a dataset is like, without its values.
public struct HDF5DatasetEntry: Sendable {
  /// Its shortest absolute path.
  public let path: String
  /// What one value is.
  public let type: HDF5ValueType
  /// The sizes of its dimensions, slowest first; empty for a scalar, and for a virtual dataset, whose
  /// sizes depend on other files.
  public let shape: [Int]
  /// Where its values are.
  public let storage: HDF5Storage
  /// What each chunk has gone through on the way into the file, in order.
  public let filters: [HDF5Filter]
  /// Its attributes, by name.
  public let attributes: [String: HDF5Attribute]
  /// Bytes of one stored value.
  let valueByteCount: Int
  /// Where its header is.
  let address: ObjectAddress

  /// How one value is written down, if netconv reads such values.
  public var elementType: ElementType? {
    if case .number(let type, _) = type { type } else { nil }
  }
}

/// What one value of a dataset is.
public enum HDF5ValueType: Sendable, Equatable {
  /// A number that netconv reads.
  case number(ElementType, ByteOrder)
  /// Bytes that only the program which wrote them can read, as h5py writes numbers that HDF5 has no type
  /// for.
  case opaque(byteCount: Int)
  /// Anything else, in words.
  case unsupported(String)
}

/// Where the values of a dataset are.
public enum HDF5Storage: Sendable, Equatable {
  /// In one run, from this byte of the file on.
  case contiguous(offset: Int)
  /// In the object's header.
  case compact
  /// In chunks of this shape, which may be filtered or missing.
  case chunked([Int])
  /// Nowhere: every value is the fill value.
  case neverAllocated
  /// In other files; this is the first one's name.
  case external(file: String)
  /// Put together from other datasets; this is the name of the first other file they are in, if any.
  case virtual(file: String?)
}

/// A filter that chunks go through.
public struct HDF5Filter: Sendable, Equatable {
  /// The number the filter is registered under.
  public let id: Int
  /// The filter's name: the well-known one, else the one in the file, else its number.
  public let name: String

  private static let wellKnownNames = [
    1: "deflate", 2: "shuffle", 3: "fletcher32", 4: "szip", 5: "nbit", 6: "scaleoffset",
    307: "bzip2", 32_000: "lzf", 32_001: "blosc", 32_004: "lz4", 32_008: "bitshuffle",
    32_013: "zfp", 32_015: "zstd", 32_026: "blosc2",
  ]

  /// Whether netconv undoes it.
  public var isSupported: Bool {
    [1, 2, 3].contains(id)
  }

  /// The filter with the number `id`, which a file calls `storedName`.
  ///
  /// Source: the HDF Group's list of registered filters.
  init(id: Int, storedName: String) {
    self.id = id
    name = Self.wellKnownNames[id] ?? (storedName.isEmpty ? "number \(id)" : storedName)
  }
}
