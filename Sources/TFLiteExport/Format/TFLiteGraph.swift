import FlatBuffers
import ModelIR

/// A TensorFlow Lite graph without the values of parameters.
///
/// Source: tensorflow/lite/schema/schema.fbs.
public struct TFLiteGraph: Sendable, Equatable {
  /// The name of the network.
  public let name: String
  /// The operators in execution order.
  public let nodes: [TFLiteNode]
  /// The tensors: inputs, parameters, constants and the outputs of operators.
  public let tensors: [TFLiteTensorInfo]
  /// The names of the inputs.
  public let inputs: [String]
  /// The names of the outputs.
  public let outputs: [String]
}

/// An operator with its operands.
public struct TFLiteNode: Sendable, Equatable {
  /// The operator.
  public let type: TFLiteBuiltin
  /// The names of the inputs.
  public internal(set) var inputs: [String]
  /// The names of the outputs.
  public internal(set) var outputs: [String]
  /// The type of the options: a member of the union `BuiltinOptions`; 0 if there are none.
  let optionsType: Int
  /// The fields of the options.
  public internal(set) var options: FlatFields
}

/// The size of an axis.
public enum TFLiteSize: Sendable, Hashable {
  /// A fixed size.
  case fixed(Int)
  /// A dynamic size, with the size that the file states for a single sample.
  case open(Int)

  /// The size for a single sample.
  var count: Int {
    switch self {
    case .fixed(let count), .open(let count): count
    }
  }

  /// The size; `nil` if it is dynamic.
  var known: Int? { if case .fixed(let count) = self { count } else { nil } }
}

/// An element type of a tensor, with its number.
///
/// Source: tensorflow/lite/schema/schema.fbs, `TensorType`.
public enum TFLiteNumber: Int, Sendable, Hashable {
  /// 32-bit floating point.
  case float32 = 0
  /// 16-bit floating point.
  case float16 = 1
  /// 32-bit integers.
  case int32 = 2
  /// Truth values.
  case truth = 6
}

/// A tensor of a graph.
public struct TFLiteTensorInfo: Sendable, Equatable {
  /// The source of the values.
  public enum Values: Sendable, Hashable {
    /// Computed by an operator, or passed in.
    case none
    /// A tensor of the model, written with the given size in bytes.
    case tensor(TensorKey, byteCount: Int)
    /// Float32 values.
    case floats([Float])
    /// 32-bit integers.
    case ints([Int])
  }

  /// The name, unique among tensors.
  public internal(set) var name: String
  /// The sizes of all axes.
  public let sizes: [TFLiteSize]
  /// The element type.
  public let type: TFLiteNumber
  /// The source of the values.
  public let values: Values
}
