/// What an HDF5 file can hold at a path.
public enum HDF5Object: Sendable {
  /// A group of links to other objects.
  case group(HDF5Group)
  /// An array of values.
  case dataset(HDF5DatasetEntry)
  /// A type that was given a name.
  case namedType(HDF5NamedType)

  /// The object's shortest absolute path.
  public var path: String {
    switch self {
    case .group(let group): group.path
    case .dataset(let dataset): dataset.path
    case .namedType(let type): type.path
    }
  }

  /// The object's attributes, by name.
  public var attributes: [String: HDF5Attribute] {
    switch self {
    case .group(let group): group.attributes
    case .dataset(let dataset): dataset.attributes
    case .namedType(let type): type.attributes
    }
  }

  /// The group, if it is one.
  public var group: HDF5Group? {
    if case .group(let group) = self { group } else { nil }
  }

  /// The dataset, if it is one.
  public var dataset: HDF5DatasetEntry? {
    if case .dataset(let dataset) = self { dataset } else { nil }
  }
}

/// A type that was given a name in the file; netconv has no use for it.
public struct HDF5NamedType: Sendable {
  /// Its shortest absolute path.
  public let path: String
  /// Its attributes, by name.
  public let attributes: [String: HDF5Attribute]
}
