internal import CHDF5
import ModelIR

/// A dataset that libhdf5 has open, with a chunk cache that suits reading it from front to back.
struct OpenDataset: ~Copyable {
  /// Which one.
  let address: ObjectAddress
  /// The library's handle.
  let handle: Handle

  /// Opens the dataset that holds `values` in the file `file`.
  init(_ values: StoredValues, in file: hid_t) throws(NetconvError) {
    let access = try Handle(
      libhdf5.H5Pcreate(chdf5_dataset_access_class()), orThrow: NetconvError.libraryNotUsable)
    if let chunk = values.chunk {
      let cache = ChunkCache(shape: values.shape, chunk: chunk, valueByteCount: values.byteCount)
      // 1: chunks that were read whole go first, as reading in order does not return to them.
      try check(
        libhdf5.H5Pset_chunk_cache(access.id, cache.slotCount, cache.byteCount, 1),
        orThrow: NetconvError.libraryNotUsable)
    }
    handle = try Handle(
      chdf5_open_dataset(file, values.address.shim, access.id),
      orThrow: NetconvError.unreadableObject)
    address = values.address
  }
}
