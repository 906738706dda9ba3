import ModelIR

/// A program in the language of Core ML, without the values of parameters.
///
/// Source: coremltools, mlmodel/format/MIL.proto.
public struct MILProgram: Sendable, Equatable {
  /// The name of the network.
  public let name: String
  /// The inputs, with the batch as the first axis.
  public let inputs: [MILVariable]
  /// The outputs, with the batch as the first axis.
  public let outputs: [MILVariable]
  /// The operations in execution order, constants among them.
  public let operations: [MILOperation]
  /// The arrays in the file with weights, in order.
  public let blobs: [MILBlob]
  /// The operations that are known: those of iOS 15, or of iOS 16.
  public let system: MILSystem
}

/// The systems that know a program's operations.
///
/// Source: coremltools, mlmodel/format/Model.proto, `specificationVersion`.
public enum MILSystem: Int, Sendable, Comparable {
  /// iOS 15 and macOS 12.
  case iOS15 = 6
  /// iOS 16 and macOS 13.
  case iOS16 = 7

  /// The name of the operator set.
  var opset: String { self == .iOS15 ? "CoreML5" : "CoreML6" }

  /// The names of the oldest systems.
  public var systems: String {
    self == .iOS15 ? "iOS 15 and macOS 12" : "iOS 16 and macOS 13"
  }

  /// Returns true if `first` is older.
  public static func < (first: MILSystem, second: MILSystem) -> Bool {
    first.rawValue < second.rawValue
  }
}

/// The element type of a value.
public enum MILDataType: Int, Sendable {
  /// A truth value.
  case bool = 1
  /// A string.
  case string = 2
  /// A float16.
  case float16 = 10
  /// A float32.
  case float32 = 11
  /// A signed 32-bit integer.
  case int32 = 23
}

/// The type of a value: its elements and its shape.
public struct MILType: Sendable, Hashable {
  /// The type of the elements.
  public let data: MILDataType
  /// The shape, with `nil` for an open size; empty for a scalar.
  public let shape: [Int?]
}

/// A value with its type.
public struct MILVariable: Sendable, Equatable {
  /// The name, an identifier.
  public internal(set) var name: String
  /// The type of the value.
  public let type: MILType
}

/// An operation with its operands.
public struct MILOperation: Sendable, Equatable {
  /// The operands for a parameter.
  public struct Argument: Sendable, Equatable {
    /// The name of the parameter.
    public let name: String
    /// The names of the values; several for a parameter that is a list.
    public internal(set) var values: [String]
  }

  /// The name of the operation's kind.
  public let type: String
  /// The name of the operation; the main one of a layer has the layer's.
  public internal(set) var name: String
  /// The operands.
  public internal(set) var arguments: [Argument]
  /// The outputs.
  public internal(set) var outputs: [MILVariable]
  /// The values that are part of the operation.
  public let attributes: [String: MILLiteral]
}

/// A value that is known when the program is built.
public enum MILLiteral: Sendable, Hashable {
  /// Float32 values.
  case floats([Float], [Int])
  /// Integers.
  case ints([Int], [Int])
  /// Truth values.
  case bools([Bool], [Int])
  /// A string.
  case string(String)
  /// The array of this index in the file with weights.
  case blob(Int, MILDataType, [Int])

  /// The type of the value.
  var type: MILType {
    switch self {
    case .floats(_, let shape): MILType(data: .float32, shape: shape)
    case .ints(_, let shape): MILType(data: .int32, shape: shape)
    case .bools(_, let shape): MILType(data: .bool, shape: shape)
    case .string: MILType(data: .string, shape: [])
    case .blob(_, let data, let shape): MILType(data: data, shape: shape)
    }
  }
}

/// An array in the file with weights.
public enum MILBlob: Sendable, Hashable {
  /// A tensor of the model, with its element type and the number of its values.
  case tensor(TensorKey, ElementType, Int)
  /// Float32 values.
  case floats([Float])

  /// The size in bytes.
  var byteCount: Int {
    switch self {
    case .tensor(_, let type, let count): type.byteCount * count
    case .floats(let values): values.count * 4
    }
  }
}
