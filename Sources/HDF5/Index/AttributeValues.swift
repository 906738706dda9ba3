internal import CHDF5
import ModelIR

/// Reads the values of an open attribute whose size has been checked.
struct AttributeValues {
  /// The approximate size of a string in memory, besides its text.
  static let stringOverhead = 48

  /// The identifier of the attribute; `type` is that of its type.
  let attribute: hid_t
  let type: hid_t
  /// The number of values.
  let count: Int

  /// Returns the values, converted by libhdf5 to `memoryType`, the equivalent of `Value`.
  func read<Value: BitwiseCopyable>(
    as memoryType: hid_t, zero: Value
  ) throws(NetconvError) -> [Value] {
    guard count > 0 else { return [] }
    var values = [Value](repeating: zero, count: count)
    try check(
      libhdf5.H5Aread(attribute, memoryType, &values), orThrow: NetconvError.unreadableObject)
    return values
  }

  /// Returns integers; unsupported if one exceeds signed 64 bits.
  func integers(shape: [Int]) throws(NetconvError) -> HDF5Attribute {
    if libhdf5.H5Tget_sign(type) == H5T_SGN_2 || libhdf5.H5Tget_size(type) < 8 {
      return .integers(try read(as: chdf5_int64(), zero: 0), shape: shape)
    }
    let values: [UInt64] = try read(as: chdf5_uint64(), zero: 0)
    guard values.allSatisfy({ $0 <= UInt64(Int64.max) }) else {
      return .unsupported("unsigned integer above \(Int64.max)")
    }
    return .integers(values.map { Int64($0) }, shape: shape)
  }

  /// Returns Booleans as 0 or 1.
  func truthValues() throws(NetconvError) -> [Int64] {
    try read(as: type, zero: UInt8(0)).map { $0 == 0 ? 0 : 1 }
  }

  /// Returns fixed-length strings.
  func fixedStrings() throws(NetconvError) -> [String] {
    let size = libhdf5.H5Tget_size(type)
    guard count > 0, size > 0 else { return [String](repeating: "", count: count) }
    var bytes = [UInt8](repeating: 0, count: count * size)
    try check(libhdf5.H5Aread(attribute, type, &bytes), orThrow: NetconvError.unreadableObject)
    let padding = libhdf5.H5Tget_strpad(type)
    return (0..<count).map { number in
      let text = bytes[(number * size)..<((number + 1) * size)]
      return String(decoding: Self.unpadded(text, padding), as: UTF8.self).exact
    }
  }

  private static func unpadded(
    _ text: ArraySlice<UInt8>, _ padding: H5T_str_t
  ) -> ArraySlice<UInt8> {
    switch padding {
    case H5T_STR_NULLTERM:
      return text.prefix { $0 != 0 }
    case H5T_STR_SPACEPAD:
      let last = text.lastIndex { $0 != UInt8(ascii: " ") }
      return text[..<(last.map { $0 + 1 } ?? text.startIndex)]
    default:
      let last = text.lastIndex { $0 != 0 }
      return text[..<(last.map { $0 + 1 } ?? text.startIndex)]
    }
  }

  /// Returns the references to variable-length strings.
  func references(_ widths: GlobalHeap.Widths) throws(NetconvError) -> [GlobalHeap.Reference] {
    guard count > 0 else { return [] }
    let size = widths.reference
    let reference = try Handle(
      libhdf5.H5Tcreate(H5T_OPAQUE, size), orThrow: NetconvError.unreadableObject)
    var bytes = [UInt8](repeating: 0, count: count * size)
    try check(
      libhdf5.H5Aread(attribute, reference.id, &bytes), orThrow: NetconvError.unreadableObject)
    return (0..<count).map { number in
      GlobalHeap.Reference(bytes[(number * size)..<((number + 1) * size)], widths: widths)
    }
  }
}
