/// A group of an HDF5 file.
public struct HDF5Group: Sendable {
  let index: HDF5Index
  let number: Int

  /// The group's shortest absolute path; `/` for the root.
  public var path: String {
    index.nodes[number].path
  }

  /// The group's attributes, by name.
  public var attributes: [String: HDF5Attribute] {
    index.nodes[number].attributes
  }

  /// Every link in the group, in the order of the names' bytes.
  public var links: [HDF5Link] {
    index.links(of: number).map { link in
      HDF5Link(name: link.name, target: index.publicTarget(of: link))
    }
  }

  /// The objects whose shortest path leads through this group, in name order.
  ///
  /// A walk from group to children meets every object once, and so it ends.
  public var children: [HDF5Object] {
    index.links(of: number).compactMap { link in
      if case .object(let number) = link.target { index.object(number) } else { nil }
    }
  }

  /// The object at `path`, which is relative to this group unless it begins with a slash.
  ///
  /// - Returns: `nil` if there is none, or only a link that leads nowhere or out of the file.
  public subscript(path: String) -> HDF5Object? {
    guard case .object(let found) = index.resolve(path, from: number) else { return nil }
    return index.object(found)
  }
}

/// A name in a group, and what it stands for.
public struct HDF5Link: Sendable, Equatable {
  /// What a link can stand for.
  public enum Target: Sendable, Equatable {
    /// An object; no path to it is shorter than this one.
    case object
    /// An object that has another, shorter path.
    case alias(of: String)
    /// Whatever is at a path of this file, if anything.
    case soft(path: String)
    /// An object of another file, which is not opened.
    case external(file: String, path: String)
    /// Something only the program that wrote the file knows.
    case userDefined(kind: Int)
  }

  /// The name in the group.
  public let name: String
  /// What it stands for.
  public let target: Target
}
