import ModelIR

/// An ML Program as a graph of ONNX, whose operations have the same meaning, and the same order of axes.
struct CoreMLGraph {
  /// The graph.
  private(set) var graph: ONNXGraph

  /// Translates a program.
  ///
  /// - Throws: `badData` if the types of its inputs are not read; operations that are not read stay as nodes.
  init(_ program: CoreMLProgram) throws(NetconvError) {
    var nodes = CoreMLNodes(program)
    for operation in program.operations { try nodes.add(operation) }
    let inputs = try program.inputs.map { input throws(NetconvError) in
      guard let shape = input.type.shape else { throw NetconvError.unreadType("list") }
      return ONNXValueInfo(
        input.name, ONNXType(input.type.element ?? .float32), shape.map { $0 == 0 ? nil : $0 })
    }
    graph = ONNXGraph(
      nodes: nodes.nodes, initializers: nodes.initializers, inputs: inputs,
      outputs: nodes.arrays(among: program.outputs).map {
        ONNXValueInfo($0, ONNXType(.float32), nil)
      })
  }
}

/// Nodes that are made of operations.
struct CoreMLNodes {
  private(set) var nodes: [ONNXNode] = []
  private(set) var initializers: [(name: String, tensor: ONNXTensor)] = []
  /// The known values by name.
  private(set) var values: [String: CoreMLValue] = [:]
  private var types: [String: CoreMLType] = [:]
  /// The operations that fill an array with zeros.
  private var zeros: Set<String> = []
  private var probabilities: [String: String] = [:]
  /// The name of the operation or layer.
  private var name = ""
  /// The name of its first output, by which values of nodes inside of it are called.
  private var operation = ""
  /// True if nodes have the names of layers, rather than of what these return.
  private var isLayer = false
  private var count = 0

  /// Creates an empty list of nodes.
  init(_ program: CoreMLProgram) {
    for input in program.inputs { types[input.name] = input.type }
  }

  /// Creates an empty list of nodes for layers.
  init() { isLayer = true }

  /// Returns the outputs of a program that are arrays; those of a classifier are its probabilities.
  func arrays(among outputs: [String]) -> [String] {
    var names: [String] = []
    for output in outputs {
      let name = probabilities[output] ?? output
      guard types[name]?.element != nil, !names.contains(name) else { continue }
      names.append(name)
    }
    return names
  }

  /// Remembers the array that the outputs of a classifier are made of.
  mutating func setProbabilities(_ name: String, of outputs: [String]) {
    for output in outputs { probabilities[output] = name }
  }

  /// Returns the shape of a value, with `nil` for an open size.
  func shape(of name: String) -> [Int?]? { types[name]?.shape }

  /// Returns the type of a value.
  func type(of name: String) -> CoreMLType? { types[name] }

  /// Returns true if all values are known to be zero.
  func isZero(_ name: String) throws(NetconvError) -> Bool {
    if zeros.contains(name) { return true }
    return try values[name]?.numbers()?.allSatisfy { $0 == 0 } ?? false
  }

  /// Remembers that a value is zeros.
  mutating func setZero(_ name: String) { zeros.insert(name) }

  /// Adds the nodes for an operation.
  mutating func add(_ operation: CoreMLOperation) throws(NetconvError) {
    for output in operation.outputs { types[output.name] = output.type }
    guard let first = operation.outputs.first?.name else { return }
    begin(first)
    name = operation.attributes["name"]?.text ?? first
    if operation.type == "const" {
      guard let value = operation.attributes["val"] else { return }
      values[first] = value
      if case .numbers(let source) = value.content {
        addInitializer(first, value.type.element, value.shape, source)
      }
      return
    }
    if operation.type.hasPrefix("constexpr_") {
      let constant = try CoreMLConstants.constant(operation)
      addInitializer(first, .float32, constant.shape, constant.source)
      return
    }
    let mapped = MappedCoreMLOperation(operation, values)
    let start = nodes.count
    do throws(NetconvError) {
      guard !operation.hasBlocks, let kind = CoreMLOperations.byName[operation.type] else {
        throw .unknownOperation(operation.type, reading: [])
      }
      try kind.write(mapped, to: &self)
    } catch {
      // Operations that no output needs are no errors.
      refuse(
        since: start, operation.type, first, mapped.names, operation.outputs.map(\.name), error)
    }
  }

  /// Starts the nodes of an operation, or a layer.
  mutating func begin(_ name: String) {
    (operation, self.name) = (name, name)
    count = 0
  }

  /// Adds a node.
  ///
  /// - Parameter outputs: the names of the outputs; one that is made up if there are none.
  /// - Returns: the name of the first output.
  @discardableResult
  mutating func node(
    _ type: String, _ inputs: [String], _ attributes: [String: ONNXAttribute] = [:],
    to outputs: [String] = []
  ) -> String {
    var outputs = outputs
    let isLast = !outputs.isEmpty
    if outputs.isEmpty {
      count += 1
      outputs = ["\(operation)/\(type)_\(count)"]
    }
    nodes.append(
      ONNXNode(
        type, name: isLast || isLayer ? name : outputs[0], inputs: inputs, outputs: outputs,
        attributes: attributes))
    return outputs[0]
  }

  /// Removes the nodes since an index.
  mutating func removeNodes(since start: Int) { nodes.removeSubrange(start...) }

  /// Adds a node.
  mutating func append(_ node: ONNXNode) { nodes.append(node) }

  /// Adds a constant of float32.
  mutating func floats(_ numbers: [Double], _ shape: [Int]) -> String {
    constant(numbers, shape, .float32)
  }

  /// Adds a scalar.
  mutating func float(_ number: Double) -> String { floats([number], []) }

  /// Adds a vector of integers.
  mutating func ints(_ numbers: [Int]) -> String {
    constant(numbers.map { Double($0) }, [numbers.count], .number(.int64))
  }

  private mutating func constant(
    _ numbers: [Double], _ shape: [Int], _ type: GraphElement
  ) -> String {
    count += 1
    let name = "\(operation)/constant_\(count)"
    addInitializer(
      name, type, shape, NumberSource(numbers: numbers, elementType: type.storedType))
    return name
  }

  /// Adds an array.
  mutating func addInitializer(
    _ name: String, _ type: GraphElement?, _ shape: [Int], _ source: any TensorSource
  ) {
    // Numbers are computed with as float32, whatever they are stored as.
    let element: GraphElement? = if case .number(.float16)? = type { .float32 } else { type }
    initializers.append(
      (
        name,
        ONNXTensor(name: name, type: ONNXType(element ?? .float32), shape: shape, source: source)
      ))
  }
}

/// An operation with its operands by parameter.
struct MappedCoreMLOperation {
  let operation: CoreMLOperation
  private let values: [String: CoreMLValue]

  init(_ operation: CoreMLOperation, _ values: [String: CoreMLValue]) {
    (self.operation, self.values) = (operation, values)
  }

  var type: String { operation.type }
  /// The name of the first output.
  var output: String { operation.outputs[0].name }
  /// The names of all outputs.
  var outputs: [String] { operation.outputs.map(\.name) }
  /// The names of all operands.
  var names: [String] {
    operation.inputs.sorted { $0.key < $1.key }.flatMap(\.value).compactMap { binding in
      if case .name(let name) = binding { name } else { nil }
    }
  }

  /// Returns the names of the values that are bound to a parameter.
  func list(_ parameter: String) -> [String] {
    (operation.inputs[parameter] ?? []).compactMap { binding in
      if case .name(let name) = binding { name } else { nil }
    }
  }

  /// Returns the name of a required operand.
  func input(_ parameter: String) throws(NetconvError) -> String {
    guard let name = list(parameter).first else { throw .missingAttribute(parameter) }
    return name
  }

  /// Returns the name of an operand, unless it is omitted.
  func optional(_ parameter: String) -> String? { list(parameter).first }

  /// Returns a known value; `nil` if it is omitted.
  ///
  /// - Throws: `badData` if the parameter is computed.
  func value(_ parameter: String) throws(NetconvError) -> CoreMLValue? {
    switch operation.inputs[parameter]?.first {
    case .value(let value): return value
    case .name(let name):
      guard let value = values[name] else { throw .computedParameter(parameter) }
      return value
    case nil: return nil
    }
  }

  /// Returns true if a parameter is omitted, or known.
  func isKnown(_ parameter: String) -> Bool { (try? value(parameter)) != nil }

  /// Returns integers; `nil` if they are omitted.
  func ints(_ parameter: String) throws(NetconvError) -> [Int]? {
    try value(parameter)?.numbers()?.map { Int(exactly: $0) ?? 0 }
  }

  func int(_ parameter: String, _ fallback: Int) throws(NetconvError) -> Int {
    try ints(parameter)?.first ?? fallback
  }

  func flag(_ parameter: String, _ fallback: Bool = false) throws(NetconvError) -> Bool {
    try value(parameter)?.numbers()?.first.map { $0 != 0 } ?? fallback
  }

  func flags(_ parameter: String) throws(NetconvError) -> [Bool]? {
    try value(parameter)?.numbers()?.map { $0 != 0 }
  }

  func number(_ parameter: String, _ fallback: Double) throws(NetconvError) -> Double {
    try value(parameter)?.numbers()?.first ?? fallback
  }

  func text(_ parameter: String, _ fallback: String) throws(NetconvError) -> String {
    try value(parameter)?.text ?? fallback
  }
}

extension NetconvError {
  fileprivate static func computedParameter(_ name: String) -> NetconvError {
    NetconvError(.badData, "computes its \(name), which is only read as a constant")
  }
}
