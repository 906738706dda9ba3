import Confinement
import ModelIR

/// Decodes an index from the helper process, with the same limits as for a file.
struct IndexDecoder {
  /// The reason why an index is rejected.
  enum Failure: Error {
    case malformed
    /// The index exceeds a limit.
    case refused(NetconvError)
  }

  private var wire: WireReader
  private var budget = IndexBudget()
  private var index = HDF5Index()
  /// The path of each object, once its link has been decoded.
  private var paths: [String?] = []

  /// Decodes the index in the rest of `wire`.
  static func index(in wire: WireReader) throws(Failure) -> HDF5Index {
    var decoder = IndexDecoder(wire: wire)
    do {
      try decoder.decode()
    } catch let error as NetconvError {
      throw .refused(error)
    } catch {
      throw .malformed
    }
    return decoder.index
  }

  private init(wire: WireReader) {
    self.wire = wire
  }

  private mutating func decode() throws {
    let count = try wire.count(ofSize: 2)
    guard count > 0 else { throw MalformedWire() }
    paths = Array(repeating: nil, count: count)
    paths[HDF5Index.root] = "/"
    index.nodes.reserveCapacity(count)
    for number in 0..<count {
      // Groups precede their contents, so that a walk over the index cannot loop.
      guard let path = paths[number] else { throw MalformedWire() }
      try budget.takeObject(at: path)
      index.nodes.append(try node(at: path, number: number))
    }
    try wire.end()
  }

  private mutating func node(at path: String, number: Int) throws -> HDF5Index.Node {
    let attributes = try attributes()
    let content: HDF5Index.Content
    switch try wire.natural() {
    case 0: content = .group(try links(of: number, at: path))
    case 1: content = .dataset(try wire.dataset(at: path, attributes: attributes))
    case 2: content = .namedType
    default: throw MalformedWire()
    }
    return HDF5Index.Node(path: path, attributes: attributes, content: content)
  }

  private mutating func attributes() throws -> [String: HDF5Attribute] {
    var attributes: [String: HDF5Attribute] = [:]
    for _ in 0..<(try wire.count(ofSize: 2)) {
      let name = try wire.text()
      try budget.takeAttribute(byteCount: name.utf8.count)
      guard attributes.updateValue(try attribute(), forKey: name) == nil else {
        throw MalformedWire()
      }
    }
    return attributes
  }

  private mutating func attribute() throws -> HDF5Attribute {
    let start = wire.remaining
    let kind = try wire.natural()
    let attribute: HDF5Attribute
    switch kind {
    case 3: return .empty
    case 4:
      return .unsupported(try wire.text())
    case 0...2:
      let shape = try wire.shape()
      let count = try product(shape)
      switch kind {
      case 0:
        try budget.takeValues(count, of: AttributeValues.stringOverhead)
        attribute = .strings(
          try wire.elements { wire throws(MalformedWire) in try wire.text() }, shape: shape)
      case 1:
        try budget.takeValues(count, of: 8)
        attribute = .integers(
          try wire.elements { wire throws(MalformedWire) in try wire.signed() }, shape: shape)
      default:
        try budget.takeValues(count, of: 8)
        attribute = .floats(
          try wire.elements { wire throws(MalformedWire) in try wire.double() }, shape: shape)
      }
      guard attribute.count == count else { throw MalformedWire() }
    default: throw MalformedWire()
    }
    if kind == 0 { try budget.takeValues(start - wire.remaining, of: 1) }
    return attribute
  }

  private mutating func links(of parent: Int, at path: String) throws -> [HDF5Index.Link] {
    let prefix = path == "/" ? path : path + "/"
    var links: [HDF5Index.Link] = []
    for _ in 0..<(try wire.count(ofSize: 2)) {
      let start = wire.remaining
      let name = try wire.text()
      let target = try target(of: parent, prefix + name)
      try budget.takeLink(byteCount: start - wire.remaining)
      // Links must be sorted, because lookup is a binary search.
      if let last = links.last, name.utf8.lexicographicallyPrecedes(last.name.utf8) {
        throw MalformedWire()
      }
      links.append(HDF5Index.Link(name: name, target: target))
    }
    return links
  }

  private mutating func target(of parent: Int, _ path: String) throws -> HDF5Index.Target {
    switch try wire.natural() {
    case 0:
      let number = try wire.natural()
      guard number > parent, number < paths.count, paths[number] == nil else {
        throw MalformedWire()
      }
      paths[number] = path
      return .object(number)
    case 1:
      let number = try wire.natural()
      guard number < paths.count else { throw MalformedWire() }
      return .alias(number)
    case 2: return .soft(try wire.text())
    case 3: return .external(file: try wire.text(), path: try wire.text())
    case 4: return .userDefined(try wire.integer())
    default: throw MalformedWire()
    }
  }
}

extension HDF5Attribute {
  /// The number of values.
  fileprivate var count: Int {
    switch self {
    case .strings(let values, _): values.count
    case .integers(let values, _): values.count
    case .floats(let values, _): values.count
    case .empty, .unsupported: 0
    }
  }
}
