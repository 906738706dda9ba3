/// A group of an HDF5 file.
public struct HDF5Group: Sendable {
  let index: HDF5Index
  let number: Int

  /// The shortest absolute path of the group; `/` for the root.
  public var path: String {
    index.nodes[number].path
  }

  /// The attributes of the group, by name.
  public var attributes: [String: HDF5Attribute] {
    index.nodes[number].attributes
  }

  /// Every link in the group, sorted by the bytes of the names.
  public var links: [HDF5Link] {
    index.links(of: number).map { link in
      HDF5Link(name: link.name, target: index.publicTarget(of: link))
    }
  }

  /// The objects whose shortest path passes through this group, sorted by name.
  ///
  /// A recursive walk over children visits every object exactly once, and therefore terminates.
  public var children: [HDF5Object] {
    index.links(of: number).compactMap { link in
      if case .object(let number) = link.target { index.object(number) } else { nil }
    }
  }

  /// Returns the object at `path`, which is relative to this group unless it starts with a slash.
  ///
  /// - Returns: `nil` if there is none, or the link is dangling or external.
  public subscript(path: String) -> HDF5Object? {
    guard case .object(let found) = index.resolve(path, from: number) else { return nil }
    return index.object(found)
  }
}

/// A link in a group.
public struct HDF5Link: Sendable, Equatable {
  /// The target of a link.
  public enum Target: Sendable, Equatable {
    /// An object, for which this is a shortest path.
    case object
    /// An object with another, shorter path.
    case alias(of: String)
    /// A path in this file, which may not exist.
    case soft(path: String)
    /// An object in another file, which is not opened.
    case external(file: String, path: String)
    /// A target that only the writing program can resolve.
    case userDefined(kind: Int)
  }

  /// The name in the group.
  public let name: String
  /// The target of the link.
  public let target: Target
}
