internal import CHDF5
import ModelIR

/// Recognises supported types, and describes others.
enum TypeReader {
  /// Returns the type with the identifier `type`.
  static func type(_ type: hid_t) -> HDF5ValueType {
    if libhdf5.H5Tget_class(type) == H5T_OPAQUE {
      return .opaque(byteCount: libhdf5.H5Tget_size(type))
    }
    let found: ElementType? =
      switch libhdf5.H5Tget_class(type) {
      case H5T_INTEGER: integer(type)
      case H5T_FLOAT: float(type)
      default: nil
      }
    guard let found, let order = byteOrder(type) else { return .unsupported(words(for: type)) }
    return .number(found, order)
  }

  private static func byteOrder(_ type: hid_t) -> ByteOrder? {
    switch libhdf5.H5Tget_order(type) {
    case H5T_ORDER_LE, H5T_ORDER_NONE: .little
    case H5T_ORDER_BE: .big
    default: nil
    }
  }

  private static func integer(_ type: hid_t) -> ElementType? {
    let size = libhdf5.H5Tget_size(type)
    guard libhdf5.H5Tget_precision(type) == 8 * size, libhdf5.H5Tget_offset(type) == 0 else {
      return nil
    }
    let isSigned = libhdf5.H5Tget_sign(type) == H5T_SGN_2
    return switch size {
    case 1: isSigned ? .int8 : .uint8
    case 2: isSigned ? .int16 : .uint16
    case 4: isSigned ? .int32 : .uint32
    case 8: isSigned ? .int64 : .uint64
    default: nil
    }
  }

  private static func float(_ type: hid_t) -> ElementType? {
    FloatFormat.known.first { $0.format == FloatFormat(type) }?.type
  }

  /// Describes the type for a message.
  static func words(for type: hid_t) -> String {
    let size = libhdf5.H5Tget_size(type)
    switch libhdf5.H5Tget_class(type) {
    case H5T_INTEGER: return "integer of \(libhdf5.H5Tget_precision(type)) bits in \(size) bytes"
    case H5T_FLOAT: return FloatFormat(type).words
    case H5T_STRING:
      return libhdf5.H5Tis_variable_str(type) > 0 ? "string" : "string of \(size) bytes"
    case H5T_BITFIELD: return "bit field of \(size) bytes"
    case H5T_OPAQUE: return "opaque value of \(size) bytes"
    case H5T_COMPOUND: return "compound of \(max(0, libhdf5.H5Tget_nmembers(type))) fields"
    case H5T_REFERENCE: return "reference"
    case H5T_ENUM: return isTruthValue(type) ? "bool" : "enumeration"
    case H5T_VLEN: return "sequence of variable length"
    case H5T_ARRAY: return "array"
    case H5T_TIME: return "time"
    case let other: return "type of class \(other.rawValue)"
    }
  }

  /// Returns true if `type` is h5py's representation of a Boolean: a one-byte enumeration with two names.
  static func isTruthValue(_ type: hid_t) -> Bool {
    guard libhdf5.H5Tget_class(type) == H5T_ENUM, libhdf5.H5Tget_size(type) == 1,
      libhdf5.H5Tget_nmembers(type) == 2
    else { return false }
    let names = (0..<CUnsignedInt(2)).compactMap { member -> String? in
      guard let name = libhdf5.H5Tget_member_name(type, member) else { return nil }
      defer { _ = libhdf5.H5free_memory(name) }
      return String(cString: name)
    }
    return names.sorted() == ["FALSE", "TRUE"]
  }
}

/// The layout of a floating-point format.
private struct FloatFormat: Equatable {
  var byteCount: Int
  var signBit = 0
  var exponentBit = 0
  var exponentSize = 0
  var mantissaBit = 0
  var mantissaSize = 0
  var bias = 0
  var hasHiddenBit = true

  /// Creates an IEEE 754 format: mantissa, exponent and sign, from the lowest bit.
  private init(byteCount: Int, exponentSize: Int) {
    let mantissaSize = 8 * byteCount - 1 - exponentSize
    self.byteCount = byteCount
    self.exponentSize = exponentSize
    self.mantissaSize = mantissaSize
    exponentBit = mantissaSize
    signBit = mantissaSize + exponentSize
    bias = 1 << (exponentSize - 1) - 1
  }

  init(_ type: hid_t) {
    byteCount = libhdf5.H5Tget_size(type)
    _ = libhdf5.H5Tget_fields(
      type, &signBit, &exponentBit, &exponentSize, &mantissaBit, &mantissaSize)
    bias = Int(clamping: libhdf5.H5Tget_ebias(type))
    hasHiddenBit = libhdf5.H5Tget_norm(type) == H5T_NORM_IMPLIED
  }

  static let known: [(format: FloatFormat, type: ElementType)] = [
    (FloatFormat(byteCount: 2, exponentSize: 5), .float16),
    (FloatFormat(byteCount: 2, exponentSize: 8), .bfloat16),
    (FloatFormat(byteCount: 4, exponentSize: 8), .float32),
    (FloatFormat(byteCount: 8, exponentSize: 11), .float64),
  ]

  var words: String {
    "floating-point number of another format in \(byteCount) bytes"
  }
}
