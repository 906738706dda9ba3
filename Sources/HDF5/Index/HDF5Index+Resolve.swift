import ModelIR

/// The result of resolving a path.
enum HDF5Resolution: Equatable {
  /// The object with this number.
  case object(Int)
  /// Nothing: the object with the number `parent` has no link `name`.
  case missing(name: String, parent: Int)
  /// An object in another file.
  case external(file: String, path: String)
  /// A link that only the writing program can resolve.
  case userDefined(Int)
  /// Too many soft links.
  case tooManyLinks
}

extension HDF5Index {
  /// Resolves `path` from an object, following hard and soft links.
  ///
  /// As in libhdf5, empty components and `.` mean the object itself, and `..` is an ordinary name.
  func resolve(_ path: String, from start: Int) -> HDF5Resolution {
    var current = path.hasPrefix("/") ? Self.root : start
    var components = Self.reversedComponents(of: path)
    var softLinkCount = 0
    while let name = components.popLast() {
      switch link(name, in: current)?.target {
      case .object(let number), .alias(let number):
        current = number
      case .soft(let target):
        softLinkCount += 1
        guard softLinkCount <= HDF5Limits.softLinkCount else { return .tooManyLinks }
        if target.hasPrefix("/") { current = Self.root }
        components += Self.reversedComponents(of: target)
      case .external(let file, let path):
        return .external(file: file, path: path)
      case .userDefined(let kind):
        return .userDefined(kind)
      case nil:
        return .missing(name: String(name), parent: current)
      }
    }
    return .object(current)
  }

  private static func reversedComponents(of path: String) -> [Substring] {
    path.split(separator: "/").filter { $0 != "." }.reversed()
  }

  /// Returns the error for a path that does not resolve to an object.
  func error(for resolution: HDF5Resolution) -> NetconvError {
    switch resolution {
    case .object(let number): .notADataset(object(number))
    case .missing(let name, let parent): missing(name, in: parent)
    case .external(let file, let path): .externalLink(file: file, path: path)
    case .userDefined(let kind): .userDefinedLink(kind: kind)
    case .tooManyLinks: .tooManySoftLinks()
    }
  }

  private func missing(_ name: String, in parent: Int) -> NetconvError {
    guard case .group(let links) = nodes[parent].content else {
      return .notAGroup(object(parent), lookingFor: name)
    }
    return .missingObject(name, in: nodes[parent].path, holding: links.map(\.name))
  }
}

extension NetconvError {
  fileprivate static func externalLink(file: String, path: String) -> NetconvError {
    NetconvError(
      .badData,
      "is a link to \(quoted(path)) in the file \(quoted(file)), but netconv opens no other file; "
        + "copy the object into this one")
  }

  fileprivate static func userDefinedLink(kind: Int) -> NetconvError {
    NetconvError(
      .badData, "is a link of kind \(kind), which only the program that wrote it can follow")
  }

  fileprivate static func tooManySoftLinks() -> NetconvError {
    NetconvError(
      .badData,
      "leads through more than \(HDF5Limits.softLinkCount) soft links, most likely in a circle")
  }
}
