/// The tree of a file as plain values: objects by number, and the links between them.
struct HDF5Index: Sendable {
  /// The number of the root group.
  static let root = 0

  /// One object.
  struct Node: Sendable {
    /// The shortest absolute path that leads to it.
    let path: String
    let attributes: [String: HDF5Attribute]
    var content: Content
  }

  /// What kind of object it is.
  enum Content: Sendable {
    /// The links of a group, in the order of the names' bytes.
    case group([Link])
    case dataset(HDF5DatasetEntry)
    case namedType
  }

  /// A name in a group.
  struct Link: Sendable {
    let name: String
    let target: Target
  }

  /// What a link leads to.
  enum Target: Sendable, Equatable {
    /// The object with this number, to which no path is shorter.
    case object(Int)
    /// The object with this number, which has a shorter path.
    case alias(Int)
    case soft(String)
    case external(file: String, path: String)
    case userDefined(Int)
  }

  /// Every object, numbered from the root outwards.
  var nodes: [Node] = []

  /// The links of an object, none unless it is a group.
  func links(of number: Int) -> [Link] {
    if case .group(let links) = nodes[number].content { links } else { [] }
  }

  /// The link called `name` in a group, compared byte by byte.
  func link(_ name: Substring, in number: Int) -> Link? {
    let links = links(of: number)
    var candidates = links.indices
    while let middle = candidates.middle {
      if links[middle].name.utf8.elementsEqual(name.utf8) { return links[middle] }
      let isBefore = links[middle].name.utf8.lexicographicallyPrecedes(name.utf8)
      candidates = isBefore ? (middle + 1)..<candidates.upperBound : candidates.lowerBound..<middle
    }
    return nil
  }

  /// The numbers of all objects: a group, then what it holds, in the order of the names' bytes.
  var numbersInPathOrder: [Int] {
    var numbers: [Int] = []
    var waiting = nodes.isEmpty ? [] : [Self.root]
    while let number = waiting.popLast() {
      numbers.append(number)
      for link in links(of: number).reversed() {
        if case .object(let child) = link.target { waiting.append(child) }
      }
    }
    return numbers
  }

  /// The object with a number, as the module's users see it.
  func object(_ number: Int) -> HDF5Object {
    let node = nodes[number]
    switch node.content {
    case .group: return .group(HDF5Group(index: self, number: number))
    case .dataset(let entry): return .dataset(entry)
    case .namedType:
      return .namedType(HDF5NamedType(path: node.path, attributes: node.attributes))
    }
  }

  /// What a link stands for, as the module's users see it.
  func publicTarget(of link: Link) -> HDF5Link.Target {
    switch link.target {
    case .object: .object
    case .alias(let number): .alias(of: nodes[number].path)
    case .soft(let path): .soft(path: path)
    case .external(let file, let path): .external(file: file, path: path)
    case .userDefined(let kind): .userDefined(kind: kind)
    }
  }
}

extension Range<Int> {
  fileprivate var middle: Int? { isEmpty ? nil : lowerBound + count / 2 }
}
