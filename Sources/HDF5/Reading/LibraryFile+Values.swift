internal import CHDF5
import ModelIR

extension LibraryFile {
  /// Reads values through libhdf5, which decodes whole chunks.
  func read(
    _ range: Range<Int>, of values: StoredValues, into buffer: UnsafeMutableRawBufferPointer
  ) throws(NetconvError) {
    try withDataset(values) { dataset throws(NetconvError) in
      let type = try memoryType(of: dataset, values)
      let space = try Handle(libhdf5.H5Dget_space(dataset), orThrow: NetconvError.unreadableValues)
      // The shape may have changed if the file was opened again.
      guard try SpaceReader.shape(of: space) == values.shape else { throw .changedWhileOpen() }
      guard !values.shape.isEmpty else {
        return try read(dataset, type, chdf5_all(), chdf5_all(), into: buffer.baseAddress)
      }
      var offset = 0
      for box in IndexBox.boxes(covering: range, of: values.shape) {
        let memory = try select(box, in: space)
        let place = buffer.baseAddress.map { $0 + offset }
        try read(dataset, type, memory.id, space.id, into: place)
        offset += box.count * values.byteCount
      }
    }
  }

  /// Returns the dataset's type in native byte order.
  private func memoryType(
    of dataset: hid_t, _ values: StoredValues
  ) throws(NetconvError) -> Handle {
    let stored = try Handle(libhdf5.H5Dget_type(dataset), orThrow: NetconvError.unreadableValues)
    let type = try Handle(libhdf5.H5Tcopy(stored.id), orThrow: NetconvError.unreadableValues)
    guard libhdf5.H5Tget_size(type.id) == values.byteCount else { throw .changedWhileOpen() }
    guard !values.isOpaque else { return type }
    try check(
      libhdf5.H5Tset_order(type.id, chdf5_native_order()), orThrow: NetconvError.unreadableValues)
    return type
  }

  /// Selects `box` in the dataset's `space`.
  ///
  /// - Returns: A dataspace for the same number of values in memory.
  private func select(
    _ box: IndexBox, in space: borrowing Handle
  ) throws(NetconvError) -> Handle {
    let start = box.start.map { hsize_t($0) }
    let size = box.size.map { hsize_t($0) }
    try check(
      libhdf5.H5Sselect_hyperslab(space.id, H5S_SELECT_SET, start, nil, size, nil),
      orThrow: NetconvError.unreadableValues)
    var count = hsize_t(box.count)
    return try Handle(
      libhdf5.H5Screate_simple(1, &count, nil), orThrow: NetconvError.unreadableValues)
  }

  private func read(
    _ dataset: hid_t, _ type: borrowing Handle, _ memory: hid_t, _ stored: hid_t,
    into place: UnsafeMutableRawPointer?
  ) throws(NetconvError) {
    try check(
      libhdf5.H5Dread(dataset, type.id, memory, stored, chdf5_default(), place),
      orThrow: NetconvError.unreadableValues)
  }
}
