internal import CHDF5
import ModelIR

/// A link in the file, before objects are numbered.
struct StoredLink {
  /// The target of the link.
  enum Target {
    case hard(ObjectAddress)
    /// A link that is not followed.
    case other(HDF5Index.Target)
  }

  let name: String
  let target: Target

  /// Returns the links of an open group, sorted by the bytes of the names.
  static func all(
    of group: borrowing Handle, budget: inout IndexBudget
  ) throws(NetconvError) -> [StoredLink] {
    var visit = LinkVisit(budget: budget)
    let status = withUnsafeMutablePointer(to: &visit) { visit in
      chdf5_visit_links(
        group.id,
        { link, context in
          guard let link = link?.pointee, let context else { return -1 }
          return context.assumingMemoryBound(to: LinkVisit.self).pointee.add(link) ? 0 : 1
        }, visit)
    }
    if let failure = visit.failure { throw failure }
    try check(status, orThrow: NetconvError.unreadableObject)
    budget = visit.budget
    var links: [StoredLink] = []
    for link in visit.links {
      links.append(try link.read(in: group))
    }
    return links.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

/// The links collected while visiting a group.
private struct LinkVisit {
  var links: [Visited] = []
  var budget: IndexBudget
  var failure: NetconvError?

  init(budget: IndexBudget) {
    self.budget = budget
  }

  /// Adds a link.
  ///
  /// - Returns: True to continue.
  mutating func add(_ link: chdf5_link) -> Bool {
    do throws(NetconvError) {
      let (byteCount, overflow) = link.value_size.addingReportingOverflow(strlen(link.name))
      guard !overflow, byteCount >= 0 else { throw .namesTooLong() }
      try budget.takeLink(byteCount: byteCount)
      links.append(Visited(link))
      return true
    } catch {
      failure = error
      return false
    }
  }
}

/// The information that libhdf5 passes to a visitor, which must not call the library itself.
private struct Visited {
  let storedName: [CChar]
  let kind: Int
  let address: ObjectAddress
  let valueByteCount: Int

  init(_ link: chdf5_link) {
    storedName = Array(UnsafeBufferPointer(start: link.name, count: strlen(link.name) + 1))
    kind = Int(link.kind)
    address = ObjectAddress(link.address)
    valueByteCount = link.value_size
  }

  func read(in group: borrowing Handle) throws(NetconvError) -> StoredLink {
    let name = String(decoding: storedName.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    return StoredLink(name: name.exact, target: try target(in: group))
  }

  private func target(in group: borrowing Handle) throws(NetconvError) -> StoredLink.Target {
    switch kind {
    case Int(H5L_TYPE_HARD.rawValue):
      .hard(address)
    case Int(H5L_TYPE_SOFT.rawValue):
      .other(.soft(try value(in: group).withUnsafeBufferPointer(Self.text)))
    case Int(H5L_TYPE_EXTERNAL.rawValue):
      .other(try externalTarget(in: group))
    default:
      .other(.userDefined(kind))
    }
  }

  /// Returns the bytes of the link's value and a terminating NUL.
  private func value(in group: borrowing Handle) throws(NetconvError) -> [CChar] {
    var value = [CChar](repeating: 0, count: valueByteCount + 1)
    try check(
      libhdf5.H5Lget_val(group.id, storedName, &value, valueByteCount, chdf5_default()),
      orThrow: NetconvError.unreadableObject)
    return value
  }

  private func externalTarget(in group: borrowing Handle) throws(NetconvError) -> HDF5Index.Target {
    let value = try value(in: group)
    let target: HDF5Index.Target? = value.withUnsafeBufferPointer { value in
      var flags: CUnsignedInt = 0
      var file: UnsafePointer<CChar>?
      var path: UnsafePointer<CChar>?
      guard
        libhdf5.H5Lunpack_elink_val(value.baseAddress, valueByteCount, &flags, &file, &path) >= 0,
        let file, let path
      else { return nil }
      return .external(file: String(cString: file), path: String(cString: path))
    }
    guard let target else { throw .unreadableObject(HDF5Library.lastMessage()) }
    return target
  }

  private static func text(_ value: UnsafeBufferPointer<CChar>) -> String {
    value.baseAddress.map { String(cString: $0).exact } ?? ""
  }
}
