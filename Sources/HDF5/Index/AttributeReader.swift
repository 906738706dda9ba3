internal import CHDF5
import ModelIR

/// Reads the attributes of the objects in a file.
struct AttributeReader {
  /// The heap that contains variable-length strings.
  private var heap: GlobalHeap

  /// Creates a reader for the attributes in `file`.
  init(file: LibraryFile) throws(NetconvError) {
    let creation = try Handle(
      libhdf5.H5Fget_create_plist(file.id), orThrow: NetconvError.libraryCannotOpen)
    var addressSize = 0
    var lengthSize = 0
    try check(
      libhdf5.H5Pget_sizes(creation.id, &addressSize, &lengthSize),
      orThrow: NetconvError.libraryCannotOpen)
    heap = GlobalHeap(
      file.window, base: file.base,
      widths: try GlobalHeap.Widths(address: addressSize, length: lengthSize))
  }

  /// Returns the attributes of the open `object`, by name.
  mutating func attributes(
    of object: borrowing Handle, budget: inout IndexBudget
  ) throws(NetconvError) -> [String: HDF5Attribute] {
    var attributes: [String: HDF5Attribute] = [:]
    for storedName in try names(of: object, budget: &budget) {
      let name = String(
        decoding: storedName.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      do throws(NetconvError) {
        let attribute = try Handle(
          libhdf5.H5Aopen(object.id, storedName, chdf5_default()),
          orThrow: NetconvError.unreadableObject)
        attributes[name] = try value(of: attribute, budget: &budget)
      } catch {
        throw error.inAttribute(name)
      }
    }
    return attributes
  }

  private func names(
    of object: borrowing Handle, budget: inout IndexBudget
  ) throws(NetconvError) -> [[CChar]] {
    var visit = NameVisit(budget: budget)
    let status = withUnsafeMutablePointer(to: &visit) { visit in
      libhdf5.H5Aiterate2(
        object.id, H5_INDEX_NAME, H5_ITER_NATIVE, nil,
        { _, name, _, context in
          guard let name, let context else { return -1 }
          return context.assumingMemoryBound(to: NameVisit.self).pointee.add(name) ? 0 : 1
        }, visit)
    }
    if let failure = visit.failure { throw failure }
    try check(status, orThrow: NetconvError.unreadableObject)
    budget = visit.budget
    return visit.names
  }

  private mutating func value(
    of attribute: borrowing Handle, budget: inout IndexBudget
  ) throws(NetconvError) -> HDF5Attribute {
    let type = try Handle(libhdf5.H5Aget_type(attribute.id), orThrow: NetconvError.unreadableObject)
    let space = try Handle(
      libhdf5.H5Aget_space(attribute.id), orThrow: NetconvError.unreadableObject)
    guard let shape = try SpaceReader.shape(of: space) else { return .empty }
    let values = AttributeValues(
      attribute: attribute.id, type: type.id, count: try product(shape))
    switch libhdf5.H5Tget_class(type.id) {
    case H5T_STRING where libhdf5.H5Tis_variable_str(type.id) > 0:
      try budget.takeValues(
        values.count, of: heap.widths.reference + AttributeValues.stringOverhead)
      let references = try values.references(heap.widths)
      try budget.takeValues(references.reduce(0) { $0 + $1.length }, of: 1)
      var texts: [String] = []
      for reference in references { texts.append(try heap.text(reference)) }
      return .strings(texts, shape: shape)
    case H5T_STRING:
      try budget.takeValues(
        values.count, of: libhdf5.H5Tget_size(type.id) + AttributeValues.stringOverhead)
      return .strings(try values.fixedStrings(), shape: shape)
    case H5T_INTEGER:
      try budget.takeValues(values.count, of: max(8, libhdf5.H5Tget_size(type.id)))
      return try values.integers(shape: shape)
    case H5T_ENUM where TypeReader.isTruthValue(type.id):
      try budget.takeValues(values.count, of: 8)
      return .integers(try values.truthValues(), shape: shape)
    case H5T_FLOAT:
      try budget.takeValues(values.count, of: max(8, libhdf5.H5Tget_size(type.id)))
      return .floats(try values.read(as: chdf5_double(), zero: 0.0), shape: shape)
    default:
      return .unsupported(TypeReader.words(for: type.id))
    }
  }
}

/// The names collected while visiting an object's attributes.
private struct NameVisit {
  var names: [[CChar]] = []
  var budget: IndexBudget
  var failure: NetconvError?

  init(budget: IndexBudget) {
    self.budget = budget
  }

  /// Adds a name.
  ///
  /// - Returns: True to continue.
  mutating func add(_ name: UnsafePointer<CChar>) -> Bool {
    do throws(NetconvError) {
      let byteCount = strlen(name)
      try budget.takeAttribute(byteCount: byteCount)
      names.append(Array(UnsafeBufferPointer(start: name, count: byteCount + 1)))
      return true
    } catch {
      failure = error
      return false
    }
  }
}
