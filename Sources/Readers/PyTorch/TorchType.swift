import ModelIR

/// A PyTorch dtype.
///
/// Source: torch/storage.py, `_dtype_to_storage_type_map`; torch/csrc/utils/tensor_dtypes.cpp.
struct TorchType: Sendable, Equatable {
  /// The name: `float32`, `complex64`, `quint8`.
  let name: String
  /// The equivalent element type; `nil` if the dtype is not supported.
  ///
  /// A bool is a byte that is 0 or 1.
  let elementType: ElementType?

  /// The FP8 format; `nil` for other types.
  var float8: Float8? {
    switch name {
    case "float8_e4m3fn": .e4m3
    case "float8_e5m2": .e5m2
    case "float8_e4m3fnuz": .e4m3fnuz
    case "float8_e5m2fnuz": .e5m2fnuz
    case "float8_e8m0fnu": .e8m0
    default: nil
    }
  }

  static let uint8 = TorchType(name: "uint8")

  /// The number of bytes per value; 1 for smaller types.
  var byteCount: Int {
    if let elementType { return elementType.byteCount }
    switch name {
    case "complex32", "qint32": return 4
    case "complex64": return 8
    case "complex128": return 16
    default: return 1
    }
  }

  /// Creates the dtype with a name such as `float32`; returns `nil` if the name is unknown.
  init?(named name: String) {
    let names = Self.aliases[name] ?? name
    guard Self.known.contains(names) || names.hasPrefix("float8_") || names.hasPrefix("float4_")
    else { return nil }
    self.init(name: names)
  }

  /// Creates the dtype of a storage class such as `FloatStorage`; returns `nil` if the name is not a storage class.
  init?(ofStorage name: String) {
    guard name.hasSuffix("Storage"), let type = Self.ofStorages[String(name.dropLast(7))] else {
      return nil
    }
    self.init(name: type)
  }

  private init(name: String) {
    self.name = name
    elementType = name == "bool" ? .uint8 : ElementType(rawValue: name)
  }

  private static let known: Set<String> = [
    "float16", "bfloat16", "float32", "float64", "int8", "uint8", "int16", "uint16", "int32",
    "uint32", "int64", "uint64", "bool", "complex32", "complex64", "complex128", "qint8", "quint8",
    "qint32", "quint4x2", "quint2x4", "bits8", "bits16",
  ]

  private static let aliases = [
    "half": "float16", "float": "float32", "double": "float64", "short": "int16", "int": "int32",
    "long": "int64", "cfloat": "complex64", "cdouble": "complex128", "chalf": "complex32",
  ]

  private static let ofStorages = [
    "Double": "float64", "Float": "float32", "Half": "float16", "BFloat16": "bfloat16",
    "Long": "int64", "Int": "int32", "Short": "int16", "Char": "int8", "Byte": "uint8",
    "Bool": "bool", "ComplexDouble": "complex128", "ComplexFloat": "complex64",
    "QInt8": "qint8", "QUInt8": "quint8", "QInt32": "qint32", "QUInt4x2": "quint4x2",
    "QUInt2x4": "quint2x4", "Untyped": "uint8",
  ]
}
