import ModelIR

/// What is left of the memory that one file's index may take.
///
/// A small file can name one long text many times, so that its own size is no limit.
struct IndexBudget {
  private var objectCount = HDF5Limits.objectCount
  private var linkCount = HDF5Limits.objectCount
  private var attributeCount = HDF5Limits.objectCount
  private var nameByteCount = HDF5Limits.nameByteCount
  private var attributeByteCount = HDF5Limits.attributeByteCount

  /// Room for an object at `path`.
  mutating func takeObject(at path: String) throws(NetconvError) {
    objectCount -= 1
    guard objectCount >= 0 else { throw .tooManyObjects() }
    try takeNameBytes(path.utf8.count)
  }

  /// Room for a link whose name and target take `byteCount`.
  mutating func takeLink(byteCount: Int) throws(NetconvError) {
    linkCount -= 1
    guard linkCount >= 0 else { throw .tooManyObjects() }
    try takeNameBytes(byteCount)
  }

  /// Room for an attribute whose name takes `byteCount`.
  mutating func takeAttribute(byteCount: Int) throws(NetconvError) {
    attributeCount -= 1
    guard attributeCount >= 0 else { throw .tooManyObjects() }
    try takeNameBytes(byteCount)
  }

  /// Room for `count` values of an attribute of `size` bytes each.
  mutating func takeValues(_ count: Int, of size: Int) throws(NetconvError) {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
    guard !overflow, bytes <= attributeByteCount else { throw .attributesTooLarge() }
    attributeByteCount -= bytes
  }

  private mutating func takeNameBytes(_ count: Int) throws(NetconvError) {
    guard count <= nameByteCount else { throw .namesTooLong() }
    nameByteCount -= count
  }
}
