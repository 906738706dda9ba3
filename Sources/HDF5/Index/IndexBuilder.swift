internal import CHDF5
import ModelIR

/// Walks the tree of a file once, opening each object once and following hard links only.
///
/// The walk is breadth-first, so that each object gets its shortest path, and cycles end.
struct IndexBuilder {
  /// A group whose links have been read but not followed.
  private struct OpenGroup {
    let number: Int
    let depth: Int
    let links: [StoredLink]
  }

  private let file: hid_t
  private let base: Int
  private var index = HDF5Index()
  private var numbers: [ObjectAddress: Int] = [:]
  private var waiting: [OpenGroup] = []
  private var budget = IndexBudget()
  private var attributes: AttributeReader

  /// Called with the path of each object before the library is called for it.
  private let announce: (String) -> Void

  private init(
    file: LibraryFile, announcing announce: @escaping (String) -> Void
  ) throws(NetconvError) {
    self.announce = announce
    self.file = file.id
    base = file.base
    attributes = try AttributeReader(file: file)
  }

  /// Builds the tree of `file`.
  ///
  /// - Parameter announce: Called with the path of each object before the library is called for it.
  /// - Throws: `badData` if libhdf5 cannot read the file, or it exceeds a limit.
  static func index(
    of file: LibraryFile, announcing announce: @escaping (String) -> Void = { _ in }
  ) throws(NetconvError) -> HDF5Index {
    try HDF5Library.withLock { () throws(NetconvError) in
      var builder = try IndexBuilder(file: file, announcing: announce)
      try builder.add(try ObjectAddress(of: file.id), at: "/", depth: 0)
      try builder.followLinks()
      return builder.index
    }
  }

  private mutating func followLinks() throws(NetconvError) {
    var next = 0
    while next < waiting.count {
      let group = waiting[next]
      // Releases the memory of a followed group.
      waiting[next] = OpenGroup(number: group.number, depth: group.depth, links: [])
      next += 1
      try follow(group)
    }
  }

  private mutating func follow(_ group: OpenGroup) throws(NetconvError) {
    let path = index.nodes[group.number].path
    let prefix = path == "/" ? path : path + "/"
    var links: [HDF5Index.Link] = []
    links.reserveCapacity(group.links.count)
    for link in group.links {
      let target: HDF5Index.Target
      switch link.target {
      case .other(let other):
        target = other
      case .hard(let address):
        if let number = numbers[address] {
          target = .alias(number)
        } else {
          target = .object(index.nodes.count)
          try add(address, at: prefix + link.name, depth: group.depth + 1)
        }
      }
      links.append(HDF5Index.Link(name: link.name, target: target))
    }
    index.nodes[group.number].content = .group(links)
  }

  /// Opens a new object, records its metadata, and closes it.
  private mutating func add(
    _ address: ObjectAddress, at path: String, depth: Int
  ) throws(NetconvError) {
    let number = index.nodes.count
    announce(path)
    try budget.takeObject(at: path)
    guard depth <= HDF5Limits.depth else { throw .tooDeep(path) }
    numbers[address] = number
    var isDataset = false
    do throws(NetconvError) {
      let object = try address.open(in: file)
      let kind = libhdf5.H5Iget_type(object.id)
      isDataset = kind == H5I_DATASET
      let attributes = try attributes.attributes(of: object, budget: &budget)
      var content = HDF5Index.Content.namedType
      if kind == H5I_GROUP {
        content = .group([])
        let links = try StoredLink.all(of: object, budget: &budget)
        waiting.append(OpenGroup(number: number, depth: depth, links: links))
      } else if isDataset {
        content = .dataset(
          try DatasetReader.entry(
            of: object, at: path, address: address, attributes: attributes, base: base))
      }
      index.nodes.append(HDF5Index.Node(path: path, attributes: attributes, content: content))
    } catch {
      throw error.inObject(path, isDataset: isDataset)
    }
  }
}

extension NetconvError {
  fileprivate static func tooDeep(_ path: String) -> NetconvError {
    NetconvError(
      .badData, "group \(quoted(path)) is nested deeper than \(HDF5Limits.depth) groups")
  }
}
