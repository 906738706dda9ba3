internal import CHDF5
import ModelIR

/// Reads the metadata of datasets.
enum DatasetReader {
  /// Returns the metadata of the open dataset `object`.
  ///
  /// - Parameter base: The base address of the file.
  ///
  /// The creation property list is read first: a virtual dataset must not be queried further, since libhdf5 would
  /// determine its shape from other files.
  static func entry(
    of object: borrowing Handle, at path: String, address: ObjectAddress,
    attributes: [String: HDF5Attribute], base: Int
  ) throws(NetconvError) -> HDF5DatasetEntry {
    let creation = try Handle(
      libhdf5.H5Dget_create_plist(object.id), orThrow: NetconvError.unreadableObject)
    let type = try Handle(libhdf5.H5Dget_type(object.id), orThrow: NetconvError.unreadableObject)
    let storage = try StorageReader(
      dataset: object.id, creation: creation.id, base: base
    ).storage()
    var shape: [Int]? = []
    if !storage.isVirtual {
      let space = try Handle(
        libhdf5.H5Dget_space(object.id), orThrow: NetconvError.unreadableObject)
      shape = try SpaceReader.shape(of: space)
    }
    return HDF5DatasetEntry(
      path: path,
      type: shape == nil ? .unsupported("no values (a null dataspace)") : TypeReader.type(type.id),
      shape: shape ?? [], storage: storage, filters: try filters(in: creation),
      attributes: attributes, valueByteCount: libhdf5.H5Tget_size(type.id), address: address)
  }

  private static func filters(
    in creation: borrowing Handle
  ) throws(NetconvError) -> [HDF5Filter] {
    let count = try check(
      libhdf5.H5Pget_nfilters(creation.id), orThrow: NetconvError.unreadableObject)
    var filters: [HDF5Filter] = []
    for number in 0..<count {
      var flags: CUnsignedInt = 0
      var valueCount = 0
      var name = [CChar](repeating: 0, count: 64)
      let id = libhdf5.H5Pget_filter2(
        creation.id, CUnsignedInt(number), &flags, &valueCount, nil, name.count - 1, &name, nil)
      try check(id, orThrow: NetconvError.unreadableObject)
      let storedName = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      filters.append(
        HDF5Filter(id: Int(id), storedName: String(decoding: storedName, as: UTF8.self)))
    }
    return filters
  }
}

extension HDF5Storage {
  fileprivate var isVirtual: Bool {
    if case .virtual = self { true } else { false }
  }
}
