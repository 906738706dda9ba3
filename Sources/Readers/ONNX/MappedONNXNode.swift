import ModelIR
import Operators

/// An ONNX node with its inputs as the builder represents them.
struct MappedONNXNode: GraphOperands {
  let node: ONNXNode
  /// The inputs; `nil` for an omitted input.
  let inputs: [GraphResult?]
  /// The element types of the inputs, if known.
  let types: [GraphElement?]

  var operation: String { node.operation }
  /// The operator set version.
  var opset: Int { node.opset }

  // MARK: - Attributes

  func integer(_ key: String) -> Int? {
    if case .integer(let value) = node.attributes[key] { value } else { nil }
  }

  func integer(_ key: String, default fallback: Int) -> Int { integer(key) ?? fallback }

  func flag(_ key: String, default fallback: Bool = false) -> Bool {
    integer(key).map { $0 != 0 } ?? fallback
  }

  /// A number attribute, which the file stores as a float32.
  func number(_ key: String, default fallback: Double) -> Double {
    if case .number(let value) = node.attributes[key] { Double(value) } else { fallback }
  }

  func text(_ key: String, default fallback: String) -> String {
    if case .text(let value) = node.attributes[key] { value } else { fallback }
  }

  func integers(_ key: String) -> [Int]? {
    if case .integers(let values) = node.attributes[key] { values } else { nil }
  }

  func numbers(_ key: String) -> [Double]? {
    if case .numbers(let values) = node.attributes[key] { values.map { Double($0) } } else { nil }
  }

  // MARK: - Inputs

  /// The inputs that are not omitted.
  var operands: [GraphResult] { inputs.compactMap(\.self) }

  /// The input at an index; `nil` if it is omitted.
  func optional(_ index: Int) -> GraphResult? {
    inputs.indices.contains(index) ? inputs[index] : nil
  }

  /// The constant input at an index; `nil` if it is omitted.
  func optionalConstant(_ index: Int) throws(NetconvError) -> GraphConstant? {
    optional(index) == nil ? nil : try constant(index)
  }

  /// Integers from an attribute in older operator sets, or an input in newer ones; `nil` if neither is present.
  func integers(_ key: String, orInput index: Int) throws(NetconvError) -> [Int]? {
    if let own = integers(key) { return own }
    return try optionalConstant(index)?.integers()
  }

  /// The rank of an input.
  func rank(of input: GraphResult) throws(NetconvError) -> Int {
    switch input {
    case .constant(let constant): return constant.shape.count
    case .value(let value): return value.rank
    default: throw .expectedValue(0, operation)
    }
  }

  // MARK: - Types

  /// The element type of a result.
  func type(of result: GraphResult) -> GraphElement? {
    if case .constant(let constant) = result { return constant.type }
    switch operation {
    case "Cast", "CastLike": return castType
    case "Gather": return types.first ?? nil
    case "OneHot": return types.count > 2 ? types[2] : nil
    case "Where": return types.count > 1 ? types[1] : nil
    case "And", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Not", "Or", "Xor",
      "IsNaN", "IsInf":
      return .truth
    case "ArgMax", "ArgMin": return .number(.int64)
    default: return types.first ?? nil
    }
  }

  /// The target type of a cast.
  var castType: GraphElement? {
    operation == "CastLike"
      ? types.count > 1 ? types[1] : nil : integer("to").flatMap { ONNXType(rawValue: $0).element }
  }

  private static let growing: Set = [
    "Add", "Mul", "Neg", "Pow", "ReduceProd", "ReduceSum", "ReduceSumSquare", "Sub", "Sum",
  ]

  /// Checks that the operation computes the same with integers as with real numbers.
  ///
  /// - Throws: `badData` if it truncates fractions, or may overflow.
  func checkIntegers() throws(NetconvError) {
    guard inputs.contains(where: { if case .value? = $0 { true } else { false } }),
      let type = types.first ?? nil, type.isInteger
    else { return }
    switch operation {
    case "Cast", "CastLike":
      if let target = castType { try type.checkCast(to: target) }
    case "Mean", "ReduceMean", "AveragePool", "GlobalAveragePool":
      throw .dividesWholeNumbers(type.name)
    case let name where Self.growing.contains(name) && type.isNarrow:
      throw .wrapsAround(type.name)
    default: return
    }
  }
}
