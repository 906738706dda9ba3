import ModelIR

/// The remaining memory budget for a file's index.
///
/// A small file can refer to one long string many times, so the size of the file is no bound.
struct IndexBudget {
  private var objectCount = HDF5Limits.objectCount
  private var linkCount = HDF5Limits.objectCount
  private var attributeCount = HDF5Limits.objectCount
  private var nameByteCount = HDF5Limits.nameByteCount
  private var attributeByteCount = HDF5Limits.attributeByteCount

  /// Accounts for an object at `path`.
  mutating func takeObject(at path: String) throws(NetconvError) {
    objectCount -= 1
    guard objectCount >= 0 else { throw .tooManyObjects() }
    try takeNameBytes(path.utf8.count)
  }

  /// Accounts for a link whose name and target have `byteCount` bytes.
  mutating func takeLink(byteCount: Int) throws(NetconvError) {
    linkCount -= 1
    guard linkCount >= 0 else { throw .tooManyObjects() }
    try takeNameBytes(byteCount)
  }

  /// Accounts for an attribute whose name has `byteCount` bytes.
  mutating func takeAttribute(byteCount: Int) throws(NetconvError) {
    attributeCount -= 1
    guard attributeCount >= 0 else { throw .tooManyObjects() }
    try takeNameBytes(byteCount)
  }

  /// Accounts for `count` attribute values of `size` bytes each.
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

extension NetconvError {
  fileprivate static func tooManyObjects() -> NetconvError {
    NetconvError(
      .badData,
      "the HDF5 file holds more than \(HDF5Limits.objectCount) objects, links or attributes; "
        + "a checkpoint holds far fewer")
  }

  fileprivate static func attributesTooLarge() -> NetconvError {
    NetconvError(
      .badData,
      "including it, the file's attributes need more than \(HDF5Limits.attributeByteCount >> 20) MiB; "
        + "a checkpoint needs far less")
  }
}
