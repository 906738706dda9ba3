import FlatBuffers
import ModelIR
import Operators

/// A TensorFlow Lite operator with its inputs in the model under construction.
struct MappedTFLiteNode: GraphOperands {
  let name: String
  let node: TFLiteOperator
  /// The inputs; `nil` for an omitted optional input.
  let inputs: [GraphResult?]
  let inputTensors: [TFLiteTensor?]
  let outputTensors: [TFLiteTensor?]

  var operation: String { node.name }

  /// Returns the outputs of the operator.
  ///
  /// - Throws: `badData` if the operator is not supported.
  func results(_ graph: inout GraphBuilder) throws(NetconvError) -> [GraphResult] {
    guard !node.isCustom else { throw .customTFLiteOperator(operation) }
    guard let kind = TFLiteOperations.operation(named: operation) else {
      throw .unknownOperation(operation, reading: inputTensors.compactMap { $0?.name })
    }
    if computesIntegers { return try TFLiteIntegers(self).results(kind, &graph) }
    if let hybrid = try TFLiteHybrid(self) { return [try hybrid.result(&graph)] }
    if !kind.readsScales { try checkFloats() }
    return try kind.results(of: self, &graph)
  }

  /// True if values, not only constants, are quantised.
  private var computesIntegers: Bool {
    var tensors: [TFLiteTensor?] = []
    for (input, tensor) in zip(inputs, inputTensors) {
      if case .value? = input { tensors.append(tensor) }
    }
    guard !tensors.isEmpty else { return false }
    return (tensors + outputTensors).contains { $0?.isQuantized ?? false }
  }

  /// Checks that no tensor is quantised.
  private func checkFloats() throws(NetconvError) {
    let tensors = (inputTensors + outputTensors).compactMap(\.self)
    if let problem = tensors.compactMap(\.problem).first { throw problem }
    guard let integers = tensors.first(where: \.isQuantized) else { return }
    // Only constants are quantised, but the interpreter quantises the activations at run time.
    let isHybrid = outputTensors.allSatisfy { !($0?.isQuantized ?? false) }
    throw .computesWithIntegers(integers.type.name, isHybrid: isHybrid)
  }

  // MARK: - Inputs

  /// The input at `index`; `nil` if it is omitted.
  func optional(_ index: Int) -> GraphResult? {
    inputs.indices.contains(index) ? inputs[index] : nil
  }

  /// The constant input at `index`, which must have the given rank.
  func constant(_ index: Int, rank: Int) throws(NetconvError) -> GraphConstant {
    let constant = try constant(index)
    guard constant.shape.count == rank else {
      throw .wrongRankOfConstant(constant.shape, expected: rank)
    }
    return constant
  }

  // MARK: - Options

  /// The options of the operator.
  ///
  /// - Parameter kind: The expected member of the union `BuiltinOptions`.
  /// - Throws: `badData` if the options belong to another operator.
  func options(_ kind: Int) throws(NetconvError) -> TFLiteOptions {
    guard [0, kind].contains(node.optionsType) else { throw .otherTFLiteOptions(node.optionsType) }
    return TFLiteOptions(table: node.optionsType == kind ? node.options : nil)
  }

  // MARK: - Results

  /// Returns the outputs of the equivalent TensorFlow operation.
  func results(
    as operation: String, _ inputs: [GraphResult], _ attributes: [String: GraphAttribute],
    _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    guard let kind = GraphOperations.operation(named: operation) else {
      throw .unknownOperation(operation)
    }
    var attributes = attributes
    // TensorFlow stores types as attributes of the operation.
    let type = inputTensors.compactMap { $0?.type.inTensorFlow }.first
    let target = outputTensors.compactMap { $0?.type.inTensorFlow }.first
    for (key, type) in [("T", type), ("SrcT", type), ("DstT", target), ("out_type", target)] {
      if let type { attributes[key] = .type(type) }
    }
    let mapped = MappedNode(
      name: name, operation: operation, inputs: inputs, attributes: attributes)
    try IntegerArithmetic.check(mapped)
    return try kind.results(of: mapped, &graph)
  }

  /// Adds the bias at the input `place` to a value, if there is one.
  func biased(
    _ value: GraphResult, by place: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    guard let bias = optional(place) else { return value }
    if case .constant(let constant) = bias, case .value(let own) = value {
      // A convolution after space-to-batch is completed at batch-to-space; no addition may come between.
      let isBlocked = graph.drafts[own.draft].blocked != nil
      if isBlocked, try constant.numbers().allSatisfy({ $0 == 0 }) { return value }
      return try results(as: "BiasAdd", [value, bias], [:], &graph)[0]
    }
    return try graph.apply(.add, [value, bias])
  }

  /// Applies the fused activation of an operator to a value.
  ///
  /// Source: tensorflow/lite/schema/schema.fbs, `ActivationFunctionType`. The kernels ignore TANH and SIGN_BIT.
  func activated(
    _ value: GraphResult, by activation: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    switch activation {
    case 0: return value
    case 1: return try graph.apply(.relu, [value])
    case 2: return try graph.limit(value, to: -1...1)
    case 3: return try graph.apply(.relu6, [value])
    default: throw .fusedTFLiteActivation(activation)
    }
  }
}

/// The options of an operator; absent fields have the schema's defaults.
struct TFLiteOptions {
  fileprivate let table: FlatTable?

  func integer(_ field: Int, default fallback: Int = 0) throws(NetconvError) -> Int {
    try table?.integer(field, default: fallback) ?? fallback
  }

  /// The raw value of an enumeration field.
  func choice(_ field: Int) throws(NetconvError) -> Int {
    try table?.integer(field, Int8.self) ?? 0
  }

  func flag(_ field: Int, default fallback: Bool = false) throws(NetconvError) -> Bool {
    try table?.flag(field, default: fallback) ?? fallback
  }

  func number(_ field: Int) throws(NetconvError) -> Float { try table?.number(field) ?? 0 }

  func integers(_ field: Int) throws(NetconvError) -> [Int] { try table?.integers(field) ?? [] }
}

extension GraphBuilder {
  /// Clamps a value to a range.
  mutating func limit(
    _ value: GraphResult, to range: ClosedRange<Double>
  ) throws(NetconvError) -> GraphResult {
    let raised = try apply(.maximum, [value, .number(range.lowerBound)])
    return try apply(.minimum, [raised, .number(range.upperBound)])
  }
}

extension NetconvError {
  fileprivate static func customTFLiteOperator(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "the custom operator \(quoted(name)) is a program's own, which is not read")
  }

  fileprivate static func otherTFLiteOptions(_ type: Int) -> NetconvError {
    NetconvError(.badData, "has the options of another operator, of number \(type)")
  }

  static func fusedTFLiteActivation(_ number: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the activation \(number == 4 ? "TANH" : "\(number)") behind an operator, which kernels pass over, is not read"
    )
  }
}
