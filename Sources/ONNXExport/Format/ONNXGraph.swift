import ModelIR

/// An ONNX graph without the values of parameters.
///
/// Source: onnx/onnx.proto; onnx/docs/IR.md.
public struct ONNXGraph: Sendable, Equatable {
  /// The name of the network.
  public let name: String
  /// The nodes in execution order.
  public let nodes: [ONNXNode]
  /// The parameters and constants.
  public let initializers: [ONNXInitializer]
  /// The inputs, with the batch as the first axis.
  public let inputs: [ONNXValueInfo]
  /// The outputs, with the batch as the first axis.
  public let outputs: [ONNXValueInfo]

  /// The operator set of ``nodes``.
  public var opset = ONNXGraph.opsets.lowerBound

  /// The operator sets that can be written; the first is the default.
  ///
  /// LayerNormalization is an operator since the first of them.
  public static let opsets = 17...23
}

/// An operation with its operands.
public struct ONNXNode: Sendable, Equatable {
  /// The name, unique among nodes; the main node of a layer has the layer's name.
  public internal(set) var name: String
  /// The name of the operation in ONNX.
  public let type: String
  /// The names of the inputs; empty for an omitted one.
  public internal(set) var inputs: [String]
  /// The names of the outputs.
  public internal(set) var outputs: [String]
  /// The attributes.
  public internal(set) var attributes: [ONNXAttribute]
}

/// An attribute of a node.
public struct ONNXAttribute: Sendable, Equatable {
  /// The value of an attribute.
  public enum Value: Sendable, Equatable {
    /// An integer.
    case int(Int)
    /// A float32.
    case float(Float)
    /// A string.
    case string(String)
    /// Several integers.
    case ints([Int])
    /// Several float32 values.
    case floats([Float])
    /// Several strings.
    case strings([String])
    /// A subgraph.
    case graph(ONNXGraph)
  }

  /// The name in ONNX.
  public let name: String
  /// The value of the attribute.
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

/// Values that are stored in the file.
public struct ONNXInitializer: Sendable, Equatable {
  /// The source of the values.
  public enum Values: Sendable, Hashable {
    /// A tensor of the model, written with the given element type.
    case tensor(TensorKey, ElementType)
    /// Float32 values.
    case floats([Float])
    /// 64-bit integers.
    case ints([Int])
  }

  /// The name, unique among values.
  public let name: String
  /// The shape; empty for a scalar.
  public let shape: [Int]
  /// The source of the values.
  public let values: Values
}

/// An input or an output.
public struct ONNXValueInfo: Sendable, Equatable {
  /// The size of an axis.
  public enum Size: Sendable, Equatable {
    /// A fixed size.
    case fixed(Int)
    /// A symbolic size with a name.
    case open(String)
  }

  /// The name of the value.
  public internal(set) var name: String
  /// The sizes of its axes.
  public let shape: [Size]
}
