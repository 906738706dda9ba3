import ModelIR
import ProtocolBuffers

/// The value of a node attribute.
///
/// Source: tensorflow/core/framework/attr_value.proto.
enum GraphAttribute {
  /// A string; it may hold arbitrary bytes.
  case text([UInt8])
  case integer(Int)
  case number(Float)
  case flag(Bool)
  case type(TensorFlowType)
  case shape(GraphShape)
  case tensor(TensorMessage)
  /// The name of a library function.
  case function(String)
  case integers([Int])
  case texts([String])
  case types(Int)
  case shapes([GraphShape])
  /// A kind that no supported operation uses.
  case other

  private enum Number: Int {
    case list = 1
    case text = 2
    case integer = 3
    case number = 4
    case flag = 5
    case type = 6
    case shape = 7
    case tensor = 8
    case function = 10
  }

  private enum FunctionNumber: Int {
    case name = 1
  }

  init(_ message: WireMessage) throws(NetconvError) {
    var value = GraphAttribute.other
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .text: value = .text(try field.bytes())
      case .integer: value = .integer(try field.integer())
      case .number: value = .number(try field.float())
      case .flag: value = .flag(try field.boolean())
      case .type: value = .type(TensorFlowType(inGraph: try field.integer()))
      case .shape: value = .shape(try GraphShape(field.inner("TensorShapeProto")))
      case .tensor: value = .tensor(try TensorMessage(field.inner("TensorProto")))
      case .list: value = try Self.list(field.inner("AttrValue.ListValue"))
      case .function:
        var name = ""
        try field.inner("NameAttrList").forEachField { field throws(NetconvError) in
          if FunctionNumber(rawValue: field.number) == .name { name = try field.text() }
        }
        value = .function(name)
      case nil: break
      }
    }
    self = value
  }

  /// Parses a list of strings, numbers or types; other lists are discarded.
  private static func list(_ message: WireMessage) throws(NetconvError) -> GraphAttribute {
    var texts: [String] = []
    var integers: [Int] = []
    var typeCount = 0
    var shapes: [GraphShape] = []
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .text: texts.append(String(decoding: try field.bytes(), as: UTF8.self))
      case .integer:
        var found: [Int] = []
        try field.forEachInteger { found.append($0) }
        integers += found
      case .shape: shapes.append(try GraphShape(field.inner("TensorShapeProto")))
      case .type:
        var found = 0
        try field.forEachInteger { _ in found += 1 }
        typeCount += found
      default: break
      }
    }
    if !texts.isEmpty { return .texts(texts) }
    if !shapes.isEmpty { return .shapes(shapes) }
    if typeCount > 0 { return .types(typeCount) }
    return .integers(integers)
  }
}
