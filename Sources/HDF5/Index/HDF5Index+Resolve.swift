import ModelIR

/// Where a path leads.
enum HDF5Resolution: Equatable {
  /// To the object with this number.
  case object(Int)
  /// Nowhere: the object with the number `parent` holds no `name`.
  case missing(name: String, parent: Int)
  /// Out of the file.
  case external(file: String, path: String)
  /// To a link that only the program that wrote it can follow.
  case userDefined(Int)
  /// Through more soft links than are followed.
  case tooManyLinks
}

extension HDF5Index {
  /// Follows `path` from an object, through hard and soft links.
  ///
  /// As in libhdf5, empty components and `.` stand for the object itself and `..` is a name like any
  /// other.
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

  /// Why a path leads to no object.
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
