internal import CHDF5
import ModelIR

/// A dataset that libhdf5 has open, with a chunk cache for sequential reading.
struct OpenDataset: ~Copyable {
  /// The address of the dataset.
  let address: ObjectAddress
  /// The library handle.
  let handle: Handle

  /// Opens the dataset that contains `values` in the file `file`.
  init(_ values: StoredValues, in file: hid_t) throws(NetconvError) {
    let access = try Handle(
      libhdf5.H5Pcreate(chdf5_dataset_access_class()), orThrow: NetconvError.libraryNotUsable)
    if let chunk = values.chunk {
      let cache = ChunkCache(shape: values.shape, chunk: chunk, valueByteCount: values.byteCount)
      // Policy 1 evicts fully read chunks first, since sequential reading does not return to them.
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
