/// The builtin operators that netconv writes, with their codes.
///
/// Source: tensorflow/lite/schema/schema.fbs, `BuiltinOperator`.
public enum TFLiteBuiltin: Int, Sendable, Hashable {
  case add = 0
  case averagePool2D = 1
  case concatenation = 2
  case conv2D = 3
  case depthwiseConv2D = 4
  case dequantize = 6
  case floor = 8
  case fullyConnected = 9
  case logistic = 14
  case maxPool2D = 17
  case mul = 18
  case relu = 19
  case reluN1To1 = 20
  case relu6 = 21
  case reshape = 22
  case resizeBilinear = 23
  case softmax = 25
  case tanh = 28
  case pad = 34
  case gather = 36
  case transpose = 39
  case mean = 40
  case sub = 41
  case div = 42
  case squeeze = 43
  case stridedSlice = 45
  case exp = 47
  case logSoftmax = 50
  case cast = 53
  case prelu = 54
  case maximum = 55
  case argMax = 56
  case minimum = 57
  case less = 58
  case neg = 59
  case padV2 = 60
  case greater = 61
  case greaterEqual = 62
  case lessEqual = 63
  case sin = 66
  case transposeConv = 67
  case tile = 69
  case expandDims = 70
  case equal = 71
  case notEqual = 72
  case log = 73
  case sum = 74
  case sqrt = 75
  case rsqrt = 76
  case shape = 77
  case pow = 78
  case argMin = 79
  case reduceProd = 81
  case reduceMax = 82
  case pack = 83
  case logicalOr = 84
  case logicalAnd = 86
  case logicalNot = 87
  case unpack = 88
  case reduceMin = 89
  case floorMod = 95
  case resizeNearestNeighbor = 97
  case leakyRelu = 98
  case squaredDifference = 99
  case abs = 101
  case ceil = 104
  case reverseV2 = 105
  case cos = 108
  case elu = 111
  case round = 116
  case hardSwish = 117
  case selectV2 = 123
  case batchMatMul = 126
  case broadcastTo = 130
  case gelu = 150
  case sign = 158

  /// The name in the schema.
  var name: String {
    switch self {
    case .averagePool2D: "AVERAGE_POOL_2D"
    case .conv2D: "CONV_2D"
    case .depthwiseConv2D: "DEPTHWISE_CONV_2D"
    case .maxPool2D: "MAX_POOL_2D"
    case .reluN1To1: "RELU_N1_TO_1"
    case .padV2: "PADV2"
    case .reverseV2: "REVERSE_V2"
    case .selectV2: "SELECT_V2"
    case .batchMatMul: "BATCH_MATMUL"
    default: snakeCase
    }
  }

  /// The name of the case in capitals, with an underscore before each capital.
  private var snakeCase: String {
    "\(self)".map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
  }

  /// The version of the operator, as the converter states it for what netconv writes.
  ///
  /// Source: tensorflow/compiler/mlir/lite/tools/versioning/op_version.cc.
  func version(_ node: TFLiteNode) -> Int {
    switch self {
    case .transposeConv: node.inputs.count > 3 ? 3 : 1
    case .fullyConnected: node.options[2] == .flag(true) ? 5 : node.inputs.count > 2 ? 1 : 6
    case .depthwiseConv2D: node.options[5] == nil ? 1 : 2
    case .resizeBilinear, .resizeNearestNeighbor: node.usesHalfPixels ? 3 : 1
    case .broadcastTo: 2
    case .dequantize: 3
    default: 1
    }
  }
}

extension TFLiteNode {
  /// True for a resize whose pixel centres are at half-integer coordinates.
  fileprivate var usesHalfPixels: Bool {
    options[type == .resizeBilinear ? 3 : 1] == .flag(true)
  }
}
