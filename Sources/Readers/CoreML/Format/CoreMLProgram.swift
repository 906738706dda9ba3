import ModelIR
import ProtocolBuffers

/// The main function of an ML Program.
///
/// Source: coremltools, mlmodel/format/MIL.proto.
struct CoreMLProgram {
  /// The inputs.
  private(set) var inputs: [(name: String, type: CoreMLType)] = []
  /// The names of the outputs.
  private(set) var outputs: [String] = []
  /// The operations in execution order.
  private(set) var operations: [CoreMLOperation] = []

  init(_ message: WireMessage, _ weights: CoreMLWeightFiles) throws(NetconvError) {
    var functions: [(name: String, message: WireMessage)] = []
    try message.forEachField { field throws(NetconvError) in
      guard field.number == 2 else { return }
      functions.append(try field.inner("Program.FunctionsEntry").entry("Function"))
    }
    guard let main = functions.first(where: { $0.name == "main" }) ?? functions.first else {
      throw .noGraphInFile
    }
    var (opset, blocks) = ("", [(name: String, message: WireMessage)]())
    var inputs: [(name: String, type: CoreMLType)] = []
    try main.message.forEachField { field throws(NetconvError) in
      switch field.number {
      case 1: inputs.append(try field.inner("NamedValueType").namedType())
      case 2: opset = try field.text()
      case 3: blocks.append(try field.inner("Function.BlocksEntry").entry("Block"))
      default: break
      }
    }
    guard let block = blocks.first(where: { $0.name == opset }) ?? blocks.first else {
      throw .noGraphInFile
    }
    var (outputs, operations): ([String], [CoreMLOperation]) = ([], [])
    try block.message.forEachField { field throws(NetconvError) in
      switch field.number {
      case 2: outputs.append(try field.text())
      case 3: operations.append(try CoreMLOperation(field.inner("Operation"), weights))
      default: break
      }
    }
    (self.inputs, self.outputs, self.operations) = (inputs, outputs, operations)
  }
}

/// An operation of an ML Program.
struct CoreMLOperation {
  /// A value that is bound to a parameter.
  enum Binding {
    /// A value of the program.
    case name(String)
    /// A value that is known.
    case value(CoreMLValue)
  }

  private(set) var type = ""
  /// The bindings by parameter.
  private(set) var inputs: [String: [Binding]] = [:]
  private(set) var outputs: [(name: String, type: CoreMLType)] = []
  /// The values that are part of the operation.
  private(set) var attributes: [String: CoreMLValue] = [:]
  /// True if the operation runs blocks of operations: a loop, or a condition.
  private(set) var hasBlocks = false

  init(_ message: WireMessage, _ weights: CoreMLWeightFiles) throws(NetconvError) {
    var own = (type: "", hasBlocks: false)
    var inputs: [String: [Binding]] = [:]
    var outputs: [(name: String, type: CoreMLType)] = []
    var attributes: [String: CoreMLValue] = [:]
    try message.forEachField { field throws(NetconvError) in
      switch field.number {
      case 1: own.type = try field.text()
      case 2:
        let (name, argument) = try field.inner("Operation.InputsEntry").entry("Argument")
        inputs[name] = try Self.bindings(argument, weights)
      case 3: outputs.append(try field.inner("NamedValueType").namedType())
      case 4: own.hasBlocks = true
      case 5:
        let (name, value) = try field.inner("Operation.AttributesEntry").entry("Value")
        attributes[name] = try CoreMLValue(value, weights)
      default: break
      }
    }
    (type, hasBlocks) = own
    (self.inputs, self.outputs, self.attributes) = (inputs, outputs, attributes)
  }

  private static func bindings(
    _ message: WireMessage, _ weights: CoreMLWeightFiles
  ) throws(NetconvError) -> [Binding] {
    var bindings: [Binding] = []
    try message.forEachField { field throws(NetconvError) in
      guard field.number == 1 else { return }
      try field.inner("Argument.Binding").forEachField { field throws(NetconvError) in
        switch field.number {
        case 1: bindings.append(.name(try field.text()))
        case 2: bindings.append(.value(try CoreMLValue(field.inner("Value"), weights)))
        default: break
        }
      }
    }
    return bindings
  }
}

/// The type of a value.
struct CoreMLType {
  /// The number of the element type in `DataType`.
  private(set) var data = 0
  /// The shape, with `nil` for an open size; `nil` for lists, dictionaries and the like.
  private(set) var shape: [Int?]?

  init(_ message: WireMessage) throws(NetconvError) {
    var own: (data: Int, shape: [Int?]?) = (0, nil)
    try message.forEachField { field throws(NetconvError) in
      guard field.number == 1 else { return }
      var sizes: [Int?] = []
      try field.inner("TensorType").forEachField { field throws(NetconvError) in
        switch field.number {
        case 1: own.data = try field.integer()
        case 3: sizes.append(try Self.size(field.inner("Dimension")))
        default: break
        }
      }
      own.shape = sizes
    }
    (data, shape) = own
  }

  private static func size(_ message: WireMessage) throws(NetconvError) -> Int? {
    var size: Int?
    try message.forEachField { field throws(NetconvError) in
      guard field.number == 1 else { return }
      size = 0
      try field.inner("ConstantDimension").forEachField { field throws(NetconvError) in
        if field.number == 1 { size = try field.integer() }
      }
    }
    return size
  }

  /// The element type; `nil` for strings and types that are not read.
  var element: GraphElement? {
    switch data {
    case 1: .truth
    case 10: .number(.float16)
    case 11: .number(.float32)
    case 12: .number(.float64)
    case 13: .number(.bfloat16)
    case 21: .number(.int8)
    case 22: .number(.int16)
    case 23: .number(.int32)
    case 24: .number(.int64)
    case 31: .number(.uint8)
    case 32: .number(.uint16)
    case 33: .number(.uint32)
    default: nil
    }
  }

  /// True for float16 and float32.
  var isFloat: Bool { data == 10 || data == 11 }
}

extension WireMessage {
  /// Returns the key and the value of a map's entry.
  fileprivate func entry(
    _ type: String
  ) throws(NetconvError) -> (name: String, message: WireMessage) {
    var (name, value): (String, WireMessage?) = ("", nil)
    try forEachField { field throws(NetconvError) in
      switch field.number {
      case 1: name = try field.text()
      case 2: value = try field.inner(type)
      default: break
      }
    }
    guard let value else { throw .noValueInEntry(name) }
    return (name, value)
  }

  /// Returns a name with a type.
  fileprivate func namedType() throws(NetconvError) -> (name: String, type: CoreMLType) {
    var (name, type): (String, CoreMLType?) = ("", nil)
    try forEachField { field throws(NetconvError) in
      switch field.number {
      case 1: name = try field.text()
      case 2: type = try CoreMLType(field.inner("ValueType"))
      default: break
      }
    }
    guard let type else { throw .noValueInEntry(name) }
    return (name, type)
  }
}

extension NetconvError {
  fileprivate static func noValueInEntry(_ name: String) -> NetconvError {
    NetconvError(.badData, "the entry \(quoted(name)) has no value")
  }
}
