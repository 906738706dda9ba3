internal import CHDF5
import ModelIR

/// Reads the shape of a dataset or an attribute.
enum SpaceReader {
  /// Returns the sizes of `space`, slowest axis first: empty for a scalar, `nil` for a null dataspace, which has no
  /// values.
  static func shape(of space: borrowing Handle) throws(NetconvError) -> [Int]? {
    if libhdf5.H5Sget_simple_extent_type(space.id) == H5S_NULL { return nil }
    let rank = try check(
      libhdf5.H5Sget_simple_extent_ndims(space.id), orThrow: NetconvError.unreadableObject)
    guard rank <= HDF5Limits.rank else { throw .rankTooHigh(Int(rank)) }
    var sizes = [hsize_t](repeating: 0, count: Int(rank))
    try check(
      libhdf5.H5Sget_simple_extent_dims(space.id, &sizes, nil),
      orThrow: NetconvError.unreadableObject)
    var shape: [Int] = []
    for size in sizes {
      guard let size = Int(exactly: size) else { throw .sizeOutOfReach(size) }
      shape.append(size)
    }
    return shape
  }
}

extension NetconvError {
  fileprivate static func rankTooHigh(_ rank: Int) -> NetconvError {
    NetconvError(.badData, "has \(rank) dimensions, expected at most \(HDF5Limits.rank)")
  }

  fileprivate static func sizeOutOfReach(_ size: UInt64) -> NetconvError {
    NetconvError(.badData, "damaged: a dimension has the size \(size)")
  }
}
