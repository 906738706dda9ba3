import ModelIR

/// A graph of ONNX: what a file says, without the values of parameters.
///
/// Source: onnx/onnx.proto; onnx/docs/IR.md.
public struct ONNXGraph: Sendable, Equatable {
  /// What the network is called.
  public let name: String
  /// In the order in which they run.
  public let nodes: [ONNXNode]
  /// Parameters and constants.
  public let initializers: [ONNXInitializer]
  /// What is fed, with the batch first.
  public let inputs: [ONNXValueInfo]
  /// What is computed, with the batch first.
  public let outputs: [ONNXValueInfo]

  /// The operator set of ``nodes``.
  public static let opset = 17
}

/// An operation with its operands.
public struct ONNXNode: Sendable, Equatable {
  /// Unique among nodes; of the node that computes most of a layer, the layer's.
  public internal(set) var name: String
  /// What ONNX calls the operation.
  public let type: String
  /// Names of values; empty for one that is left out.
  public internal(set) var inputs: [String]
  /// Names of values.
  public internal(set) var outputs: [String]
  /// Settings with their names.
  public let attributes: [ONNXAttribute]
}

/// A setting of a node.
public struct ONNXAttribute: Sendable, Equatable {
  /// A setting's value.
  public enum Value: Sendable, Equatable {
    /// A whole number.
    case int(Int)
    /// A float32.
    case float(Float)
    /// A text.
    case string(String)
    /// Whole numbers.
    case ints([Int])
    /// Float32s.
    case floats([Float])
    /// Texts.
    case strings([String])
    /// What is computed at each step.
    case graph(ONNXGraph)
  }

  /// What ONNX calls it.
  public let name: String
  /// Its value.
  public let value: Value

  static func int(_ name: String, _ value: Int) -> ONNXAttribute {
    ONNXAttribute(name: name, value: .int(value))
  }

  static func float(_ name: String, _ value: Double) -> ONNXAttribute {
    ONNXAttribute(name: name, value: .float(Float(value)))
  }

  static func string(_ name: String, _ value: String) -> ONNXAttribute {
    ONNXAttribute(name: name, value: .string(value))
  }

  static func ints(_ name: String, _ value: [Int]) -> ONNXAttribute {
    ONNXAttribute(name: name, value: .ints(value))
  }

  static func floats(_ name: String, _ value: [Double]) -> ONNXAttribute {
    ONNXAttribute(name: name, value: .floats(value.map { Float($0) }))
  }

  static func strings(_ name: String, _ value: [String]) -> ONNXAttribute {
    ONNXAttribute(name: name, value: .strings(value))
  }
}

/// Values that a file holds.
public struct ONNXInitializer: Sendable, Equatable {
  /// Where the values are.
  public enum Values: Sendable, Hashable {
    /// In a tensor of the model, written in a type.
    case tensor(TensorKey, ElementType)
    /// Float32s, here.
    case floats([Float])
    /// Whole numbers of 64 bits, here.
    case ints([Int])
  }

  /// Unique among values.
  public let name: String
  /// Its sizes; none for a single number.
  public let shape: [Int]
  /// Its values.
  public let values: Values
}

/// An input or an output.
public struct ONNXValueInfo: Sendable, Equatable {
  /// The size of an axis.
  public enum Size: Sendable, Equatable {
    /// A number.
    case fixed(Int)
    /// Whatever is fed, by a name.
    case open(String)
  }

  /// The name of the value.
  public internal(set) var name: String
  /// The sizes of its axes.
  public let shape: [Size]
}
