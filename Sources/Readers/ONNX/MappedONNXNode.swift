import ModelIR
import Operators

/// A node of ONNX with what its inputs are to the model.
struct MappedONNXNode {
  let node: ONNXNode
  /// The version of the operator set.
  let opset: Int
  /// The inputs; `nil` is one that is left out.
  let inputs: [GraphResult?]
  /// The types of the inputs, as far as they are known.
  let types: [GraphElement?]

  var operation: String { node.operation }

  // MARK: - Attributes

  func integer(_ key: String) -> Int? {
    if case .integer(let value) = node.attributes[key] { value } else { nil }
  }

  func integer(_ key: String, default fallback: Int) -> Int { integer(key) ?? fallback }

  func flag(_ key: String, default fallback: Bool = false) -> Bool {
    integer(key).map { $0 != 0 } ?? fallback
  }

  /// A number; what the file has is the nearest Float.
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

  /// The inputs that are not left out.
  var operands: [GraphResult] { inputs.compactMap(\.self) }

  /// An input; `nil` if it is left out.
  func optional(_ index: Int) -> GraphResult? {
    inputs.indices.contains(index) ? inputs[index] : nil
  }

  func input(_ index: Int) throws(NetconvError) -> GraphResult {
    guard let input = optional(index) else { throw .missingOperand(index, operation) }
    return input
  }

  /// An input that follows from what is fed.
  func value(_ index: Int) throws(NetconvError) -> GraphValue {
    guard case .value(let value) = try input(index) else { throw .expectedValue(index, operation) }
    return value
  }

  func constant(_ index: Int) throws(NetconvError) -> GraphConstant {
    guard case .constant(let constant) = try input(index) else {
      throw .expectedConstant(index, operation)
    }
    return constant
  }

  /// A constant input; `nil` if it is left out.
  func optionalConstant(_ index: Int) throws(NetconvError) -> GraphConstant? {
    optional(index) == nil ? nil : try constant(index)
  }

  /// Integers that newer operator sets have as an input, and older ones as an attribute; `nil` without either.
  func integers(_ key: String, orInput index: Int) throws(NetconvError) -> [Int]? {
    if let own = integers(key) { return own }
    return try optionalConstant(index)?.integers()
  }

  /// The number of axes of an input.
  func rank(of input: GraphResult) throws(NetconvError) -> Int {
    switch input {
    case .constant(let constant): return constant.shape.count
    case .value(let value): return value.rank
    default: throw .expectedValue(0, operation)
    }
  }

  // MARK: - Types

  /// The type of a result.
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

  /// The type that a cast gives.
  var castType: GraphElement? {
    operation == "CastLike"
      ? types.count > 1 ? types[1] : nil : integer("to").flatMap { ONNXType(rawValue: $0).element }
  }

  private static let growing: Set = [
    "Add", "Mul", "Neg", "Pow", "ReduceProd", "ReduceSum", "ReduceSumSquare", "Sub", "Sum",
  ]

  /// Checks that the operation computes with integers as real numbers do.
  ///
  /// - Throws: `badData` if it cuts off fractions, or may wrap around.
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
