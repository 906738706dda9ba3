import ModelIR

/// The metadata of a dataset, without its values.
public struct HDF5DatasetEntry: Sendable {
  /// The shortest absolute path of the dataset.
  public let path: String
  /// The type of a value.
  public let type: HDF5ValueType
  /// The sizes of the axes, slowest first; empty for a scalar, and for a virtual dataset, whose shape depends on
  /// other files.
  public let shape: [Int]
  /// The storage of the values.
  public let storage: HDF5Storage
  /// The filters that were applied to each chunk on writing, in order.
  public let filters: [HDF5Filter]
  /// The attributes of the dataset, by name.
  public let attributes: [String: HDF5Attribute]
  /// The size of a stored value in bytes.
  let valueByteCount: Int
  /// The address of the object header.
  let address: ObjectAddress

  /// The element type; `nil` if it is not supported.
  public var elementType: ElementType? {
    if case .number(let type, _) = type { type } else { nil }
  }
}

/// The type of a dataset's values.
public enum HDF5ValueType: Sendable, Equatable {
  /// A supported number type.
  case number(ElementType, ByteOrder)
  /// Opaque bytes, which only the writing program can interpret; h5py uses them for number types that HDF5 lacks.
  case opaque(byteCount: Int)
  /// An unsupported type, with a description.
  case unsupported(String)
}

/// The storage of a dataset's values.
public enum HDF5Storage: Sendable, Equatable {
  /// Contiguous, from this byte offset in the file.
  case contiguous(offset: Int)
  /// Inside the object header.
  case compact
  /// In chunks of this shape, which may be filtered or missing.
  case chunked([Int])
  /// Not allocated: every value is the fill value.
  case neverAllocated
  /// In external files; the name is that of the first.
  case external(file: String)
  /// Composed from other datasets; the name is that of the first other file, if any.
  case virtual(file: String?)
}

/// A filter that is applied to chunks.
public struct HDF5Filter: Sendable, Equatable {
  /// The registered number of the filter.
  public let id: Int
  /// The name of the filter: the registered name, the name in the file, or its number.
  public let name: String

  private static let wellKnownNames = [
    1: "deflate", 2: "shuffle", 3: "fletcher32", 4: "szip", 5: "nbit", 6: "scaleoffset",
    307: "bzip2", 32_000: "lzf", 32_001: "blosc", 32_004: "lz4", 32_008: "bitshuffle",
    32_013: "zfp", 32_015: "zstd", 32_026: "blosc2",
  ]

  /// True if netconv supports the filter.
  public var isSupported: Bool {
    [1, 2, 3].contains(id)
  }

  /// Creates the filter with the number `id` and its name in the file.
  ///
  /// Source: the HDF Group's list of registered filters.
  init(id: Int, storedName: String) {
    self.id = id
    name = Self.wellKnownNames[id] ?? (storedName.isEmpty ? "number \(id)" : storedName)
  }
}
