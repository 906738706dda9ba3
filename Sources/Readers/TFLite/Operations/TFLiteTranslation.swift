import ModelIR
import Operators

/// Operators with an equivalent TensorFlow operation.
///
/// Source: tensorflow/lite/schema/schema.fbs for options; tensorflow/compiler/mlir/lite/transforms/legalize_patterns.td for
/// the converter's mapping.
enum TFLiteTranslation: TFLiteOperation {
  static let names = Array(plain.keys) + Array(translations.keys)
  static let refused = [
    "an activation TANH or SIGN_BIT", "STRIDED_SLICE with an offset", "SELECT of whole rows",
  ]

  /// A TensorFlow attribute and the index of the options field that it is derived from.
  enum Attribute {
    case integer(String, Int)
    case flag(String, Int)
    case number(String, Int)
    case integers(String, Int)
    /// A string attribute, from an enumeration field.
    case word(String, Int, [String])
    /// An operand, appended to the others.
    case operand(Int)
    /// A flag that must not be set.
    case never(String, Int)
  }

  /// A TensorFlow operation with its attributes.
  struct Translation {
    let operation: String
    /// The type of the options: a member of the union `BuiltinOptions`.
    let options: Int
    var attributes: [Attribute] = []
    /// The options field of the fused activation; `nil` if there is none.
    var activation: Int?

    init(
      _ operation: String, _ options: Int, _ attributes: [Attribute] = [], activation: Int? = nil
    ) {
      self.operation = operation
      self.options = options
      self.attributes = attributes
      self.activation = activation
    }
  }

  /// The operations with the same operands and without relevant options.
  private static let plain = [
    "ABS": "Abs", "ADD_N": "AddN", "ARG_MAX": "ArgMax", "ARG_MIN": "ArgMin",
    "BATCH_TO_SPACE_ND": "BatchToSpaceND", "BROADCAST_TO": "BroadcastTo", "CAST": "Cast",
    "CEIL": "Ceil", "COS": "Cos", "ELU": "Elu", "EMBEDDING_LOOKUP": "Gather", "EQUAL": "Equal",
    "EXP": "Exp", "EXPAND_DIMS": "ExpandDims", "FILL": "Fill", "FLOOR": "Floor",
    "FLOOR_DIV": "FloorDiv", "FLOOR_MOD": "FloorMod", "GATHER_ND": "GatherNd", "GREATER": "Greater",
    "GREATER_EQUAL": "GreaterEqual", "LESS": "Less", "LESS_EQUAL": "LessEqual", "LOG": "Log",
    "LOGICAL_AND": "LogicalAnd", "LOGICAL_NOT": "LogicalNot", "LOGICAL_OR": "LogicalOr",
    "LOGISTIC": "Sigmoid", "LOG_SOFTMAX": "LogSoftmax", "MAXIMUM": "Maximum",
    "MINIMUM": "Minimum", "NEG": "Neg", "NOT_EQUAL": "NotEqual", "PAD": "Pad", "PADV2": "PadV2",
    "POW": "Pow", "RANGE": "Range", "RANK": "Rank", "RELU": "Relu", "RELU6": "Relu6",
    "REVERSE_V2": "ReverseV2", "ROUND": "Round", "RSQRT": "Rsqrt", "SELECT": "SelectV2",
    "SELECT_V2": "SelectV2", "SHAPE": "Shape", "SIGN": "Sign", "SIN": "Sin", "SLICE": "Slice",
    "SPACE_TO_BATCH_ND": "SpaceToBatchND", "SPLIT_V": "SplitV", "SQRT": "Sqrt",
    "SQUARE": "Square", "SQUARED_DIFFERENCE": "SquaredDifference", "TANH": "Tanh",
    "TILE": "Tile", "TOPK_V2": "TopKV2", "TRANSPOSE": "Transpose", "ZEROS_LIKE": "ZerosLike",
  ]

  private static let translations: [String: Translation] = [
    "ADD": Translation("AddV2", 11, activation: 0),
    "BATCH_MATMUL": Translation("BatchMatMulV2", 101, [.flag("adj_x", 0), .flag("adj_y", 1)]),
    "CONCATENATION": Translation("ConcatV2", 10, [.operand(0)], activation: 1),
    "DEPTH_TO_SPACE": Translation("DepthToSpace", 94, [.integer("block_size", 0)]),
    "DIV": Translation("RealDiv", 29, activation: 0),
    "GATHER": Translation("GatherV2", 23, [.operand(0), .integer("batch_dims", 1)]),
    "LEAKY_RELU": Translation("LeakyRelu", 75, [.number("alpha", 0)]),
    "MEAN": Translation("Mean", 27, [.flag("keep_dims", 0)]),
    "MIRROR_PAD": Translation("MirrorPad", 77, [.word("mode", 0, ["REFLECT", "SYMMETRIC"])]),
    "MUL": Translation("Mul", 21, activation: 0),
    "ONE_HOT": Translation("OneHot", 61, [.integer("axis", 0)]),
    "PACK": Translation("Pack", 59, [.integer("axis", 1)]),
    "REDUCE_MAX": Translation("Max", 27, [.flag("keep_dims", 0)]),
    "REDUCE_MIN": Translation("Min", 27, [.flag("keep_dims", 0)]),
    "REDUCE_PROD": Translation("Prod", 27, [.flag("keep_dims", 0)]),
    "RESIZE_BILINEAR": Translation(
      "ResizeBilinear", 15, [.flag("align_corners", 2), .flag("half_pixel_centers", 3)]),
    "RESIZE_NEAREST_NEIGHBOR": Translation(
      "ResizeNearestNeighbor", 74, [.flag("align_corners", 0), .flag("half_pixel_centers", 1)]),
    "SPACE_TO_DEPTH": Translation("SpaceToDepth", 19, [.integer("block_size", 0)]),
    "SPLIT": Translation("Split", 35, [.integer("num_split", 0)]),
    "SQUEEZE": Translation("Squeeze", 30, [.integers("squeeze_dims", 0)]),
    "STRIDED_SLICE": Translation(
      "StridedSlice", 32,
      [
        .integer("begin_mask", 0), .integer("end_mask", 1), .integer("ellipsis_mask", 2),
        .integer("new_axis_mask", 3), .integer("shrink_axis_mask", 4), .never("offset", 5),
      ]),
    "SUB": Translation("Sub", 28, activation: 0),
    "SUM": Translation("Sum", 27, [.flag("keep_dims", 0)]),
    "UNPACK": Translation("Unpack", 64, [.integer("axis", 1)]),
  ]

  static func results(
    of node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    var inputs = try node.inputs.indices.map { index throws(NetconvError) in
      try node.input(index)
    }
    if let operation = plain[node.operation] {
      // The indices are the first operand in TensorFlow Lite.
      if node.operation == "EMBEDDING_LOOKUP" { inputs.reverse() }
      if node.operation == "SELECT" { try checkChoice(inputs) }
      return try node.results(as: operation, inputs, [:], &graph)
    }
    guard let translation = translations[node.operation] else {
      throw .unknownOperation(node.operation)
    }
    let options = try node.options(translation.options)
    var attributes: [String: GraphAttribute] = [:]
    for attribute in translation.attributes {
      if case .operand(let field) = attribute {
        inputs.append(.integers([try options.integer(field)], shape: [], at: node.name))
      } else {
        let (key, value) = try self.attribute(attribute, options)
        attributes[key] = value
      }
    }
    let results = try node.results(as: translation.operation, inputs, attributes, &graph)
    guard let field = translation.activation else { return results }
    return [try node.activated(results[0], by: options.choice(field), &graph)]
  }

  private static func attribute(
    _ attribute: Attribute, _ options: TFLiteOptions
  ) throws(NetconvError) -> (String, GraphAttribute) {
    switch attribute {
    case .integer(let key, let field): return (key, .integer(try options.integer(field)))
    case .flag(let key, let field): return (key, .flag(try options.flag(field)))
    case .number(let key, let field): return (key, .number(try options.number(field)))
    case .integers(let key, let field): return (key, .integers(try options.integers(field)))
    case .word(let key, let field, let words):
      let choice = try options.choice(field)
      guard words.indices.contains(choice) else {
        throw .unknownSetting(key, "\(choice)", known: words)
      }
      return (key, .text(Array(words[choice].utf8)))
    case .operand(let field): return ("", .integer(try options.integer(field)))
    case .never(let key, let field):
      guard try !options.flag(field) else { throw .unknownSetting(key, "true", known: ["false"]) }
      return (key, .flag(false))
    }
  }

  /// Checks the ranks of `SELECT`, which selects whole rows by a condition of lower rank and does not broadcast.
  private static func checkChoice(_ inputs: [GraphResult]) throws(NetconvError) {
    guard inputs.count == 3 else { return }
    let ranks = inputs.map { input in
      switch input {
      case .constant(let constant): constant.shape.count
      case .value(let value): value.rank
      default: 0
      }
    }
    guard ranks[0] == 0 || ranks[0] == max(ranks[1], ranks[2]) else { throw .choosesRows }
  }
}

extension NetconvError {
  fileprivate static var choosesRows: NetconvError {
    NetconvError(.badData, "chooses whole rows by a vector, which is not read")
  }
}
