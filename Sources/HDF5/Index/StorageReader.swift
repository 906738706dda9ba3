internal import CHDF5
import ModelIR

/// Determines the storage of a dataset's values without opening external files.
struct StorageReader {
  /// The identifier of the dataset.
  let dataset: hid_t
  /// The identifier of its creation property list.
  let creation: hid_t
  /// The base address.
  let base: Int

  /// Returns the storage of the values.
  func storage() throws(NetconvError) -> HDF5Storage {
    let fileCount = try check(
      libhdf5.H5Pget_external_count(creation), orThrow: NetconvError.unreadableObject)
    guard fileCount == 0 else { return .external(file: try externalFile()) }
    switch libhdf5.H5Pget_layout(creation) {
    case H5D_COMPACT: return .compact
    case H5D_CHUNKED: return .chunked(try chunk())
    case H5D_VIRTUAL: return .virtual(file: try virtualFile())
    case H5D_CONTIGUOUS: return try contiguous()
    default: throw .unreadableObject(HDF5Library.lastMessage())
    }
  }

  private func contiguous() throws(NetconvError) -> HDF5Storage {
    let offset = libhdf5.H5Dget_offset(dataset)
    // libhdf5 1.10 adds the base address even to the undefined address.
    guard offset != chdf5_undefined_address(), offset >= UInt64(base) else {
      return .neverAllocated
    }
    guard let offset = Int(exactly: offset) else { throw .placeOutOfReach() }
    return .contiguous(offset: offset)
  }

  private func chunk() throws(NetconvError) -> [Int] {
    var sizes = [hsize_t](repeating: 0, count: HDF5Limits.rank)
    let rank = try check(
      libhdf5.H5Pget_chunk(creation, CInt(sizes.count), &sizes),
      orThrow: NetconvError.unreadableObject)
    return sizes.prefix(Int(rank)).map { Int(clamping: $0) }
  }

  private func externalFile() throws(NetconvError) -> String {
    var name = [CChar](repeating: 0, count: 1_024)
    var offset: off_t = 0
    var size: hsize_t = 0
    try check(
      libhdf5.H5Pget_external(creation, 0, name.count - 1, &name, &offset, &size),
      orThrow: NetconvError.unreadableObject)
    return text(name)
  }

  /// Returns the first source file other than this one, whose name is `.`.
  private func virtualFile() throws(NetconvError) -> String? {
    var count = 0
    try check(
      libhdf5.H5Pget_virtual_count(creation, &count), orThrow: NetconvError.unreadableObject)
    for source in 0..<min(count, 1_000) {
      var name = [CChar](repeating: 0, count: 1_024)
      try check(
        libhdf5.H5Pget_virtual_filename(creation, source, &name, name.count - 1),
        orThrow: NetconvError.unreadableObject)
      if text(name) != "." { return text(name) }
    }
    return nil
  }

  private func text(_ name: [CChar]) -> String {
    String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension NetconvError {
  fileprivate static func placeOutOfReach() -> NetconvError {
    NetconvError(.badData, "damaged: its address is past the end of any file")
  }
}
