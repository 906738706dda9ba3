/// An object at a path in an HDF5 file.
public enum HDF5Object: Sendable {
  /// A group of links to other objects.
  case group(HDF5Group)
  /// An array of values.
  case dataset(HDF5DatasetEntry)
  /// A named type.
  case namedType(HDF5NamedType)

  /// The shortest absolute path of the object.
  public var path: String {
    switch self {
    case .group(let group): group.path
    case .dataset(let dataset): dataset.path
    case .namedType(let type): type.path
    }
  }

  /// The attributes of the object, by name.
  public var attributes: [String: HDF5Attribute] {
    switch self {
    case .group(let group): group.attributes
    case .dataset(let dataset): dataset.attributes
    case .namedType(let type): type.attributes
    }
  }

  /// The group; `nil` for other objects.
  public var group: HDF5Group? {
    if case .group(let group) = self { group } else { nil }
  }

  /// The dataset; `nil` for other objects.
  public var dataset: HDF5DatasetEntry? {
    if case .dataset(let dataset) = self { dataset } else { nil }
  }
}

/// A named type in a file, which netconv does not use.
public struct HDF5NamedType: Sendable {
  /// The shortest absolute path of the type.
  public let path: String
  /// The attributes of the type, by name.
  public let attributes: [String: HDF5Attribute]
}
