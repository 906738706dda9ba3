/// The tree of a file as plain values: numbered objects, and the links between them.
struct HDF5Index: Sendable {
  /// The number of the root group.
  static let root = 0

  /// An object of the tree.
  struct Node: Sendable {
    /// The shortest absolute path of the object.
    let path: String
    let attributes: [String: HDF5Attribute]
    var content: Content
  }

  /// The contents of an object.
  enum Content: Sendable {
    /// The links of a group, sorted by the bytes of the names.
    case group([Link])
    case dataset(HDF5DatasetEntry)
    case namedType
  }

  /// A named link in a group.
  struct Link: Sendable {
    let name: String
    let target: Target
  }

  /// The target of a link.
  enum Target: Sendable, Equatable {
    /// The object with this number, for which this is a shortest path.
    case object(Int)
    /// The object with this number, which has a shorter path.
    case alias(Int)
    case soft(String)
    case external(file: String, path: String)
    case userDefined(Int)
  }

  /// Every object, numbered breadth-first from the root.
  var nodes: [Node] = []

  /// Returns the links of an object; empty unless it is a group.
  func links(of number: Int) -> [Link] {
    if case .group(let links) = nodes[number].content { links } else { [] }
  }

  /// Returns the link named `name` in a group, compared byte by byte.
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

  /// The numbers of all objects; groups precede their contents, which are sorted by the bytes of the names.
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

  /// Returns the object with a number, in the module's public form.
  func object(_ number: Int) -> HDF5Object {
    let node = nodes[number]
    switch node.content {
    case .group: return .group(HDF5Group(index: self, number: number))
    case .dataset(let entry): return .dataset(entry)
    case .namedType:
      return .namedType(HDF5NamedType(path: node.path, attributes: node.attributes))
    }
  }

  /// Returns the target of a link in the module's public form.
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
