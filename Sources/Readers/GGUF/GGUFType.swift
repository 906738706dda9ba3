import ModelIR

/// The type of a tensor in a GGUF file.
///
/// Source: ggml/include/ggml.h, `enum ggml_type`; ggml/src/ggml-common.h for the sizes of blocks.
enum GGUFType: Sendable {
  /// Unquantised values.
  case numbers(ElementType, name: String)
  /// A block format that netconv decodes.
  case blocks(any GGUFBlock.Type)
  /// A block format of known size that netconv lists but does not decode.
  case listed(name: String, valueCount: Int, byteCount: Int)

  /// The type's name in GGML.
  var name: String {
    switch self {
    case .numbers(_, let name), .listed(let name, _, _): name
    case .blocks(let block): block.name
    }
  }

  /// The number of values in a block; 1 for unquantised values.
  var valueCount: Int {
    switch self {
    case .numbers: 1
    case .blocks(let block): block.valueCount
    case .listed(_, let count, _): count
    }
  }

  /// The size of a block, or of an unquantised value, in bytes.
  var byteCount: Int {
    switch self {
    case .numbers(let type, _): type.byteCount
    case .blocks(let block): block.byteCount
    case .listed(_, _, let count): count
    }
  }

  /// Creates the type with a number of `ggml_type`; `nil` if it is unknown.
  init?(_ number: UInt32) {
    guard let type = Self.known[number] else { return nil }
    self = type
  }

  private static let known: [UInt32: GGUFType] = [
    0: .numbers(.float32, name: "F32"),
    1: .numbers(.float16, name: "F16"),
    2: .blocks(Q4_0.self),
    3: .blocks(Q4_1.self),
    6: .blocks(Q5_0.self),
    7: .blocks(Q5_1.self),
    8: .blocks(Q8_0.self),
    9: .listed(name: "Q8_1", valueCount: 32, byteCount: 36),
    10: .blocks(Q2_K.self),
    11: .blocks(Q3_K.self),
    12: .blocks(Q4_K.self),
    13: .blocks(Q5_K.self),
    14: .blocks(Q6_K.self),
    15: .listed(name: "Q8_K", valueCount: 256, byteCount: 292),
    16: .listed(name: "IQ2_XXS", valueCount: 256, byteCount: 66),
    17: .listed(name: "IQ2_XS", valueCount: 256, byteCount: 74),
    18: .listed(name: "IQ3_XXS", valueCount: 256, byteCount: 98),
    19: .listed(name: "IQ1_S", valueCount: 256, byteCount: 50),
    20: .blocks(IQ4_NL.self),
    21: .listed(name: "IQ3_S", valueCount: 256, byteCount: 110),
    22: .listed(name: "IQ2_S", valueCount: 256, byteCount: 82),
    23: .blocks(IQ4_XS.self),
    24: .numbers(.int8, name: "I8"),
    25: .numbers(.int16, name: "I16"),
    26: .numbers(.int32, name: "I32"),
    27: .numbers(.int64, name: "I64"),
    28: .numbers(.float64, name: "F64"),
    29: .listed(name: "IQ1_M", valueCount: 256, byteCount: 56),
    30: .numbers(.bfloat16, name: "BF16"),
    34: .blocks(TQ1_0.self),
    35: .blocks(TQ2_0.self),
    39: .blocks(MXFP4.self),
    40: .blocks(NVFP4.self),
    41: .listed(name: "Q1_0", valueCount: 128, byteCount: 18),
  ]
}
